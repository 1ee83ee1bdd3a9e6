import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AccountVoice, VoiceSample } from '../../src/domain/account-voice.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../src/domain/voice.ts';
import { NO_VOICE_LIMITS, type StoragePlace } from '../support/storages.ts';

function sample(given: Partial<VoiceSample> = {}): VoiceSample {
  const sampleId = randomUUID();
  return {
    sampleId,
    fileName: '../"наша" запись.wav',
    mimeType: 'audio/wav',
    blobKey: `samples/${sampleId}`,
    sizeBytes: 5_000_000_000,
    sha256: 'a'.repeat(64),
    removeBackgroundNoise: true,
    durationMs: 61_234,
    sampleRate: 22_050,
    levelDbfs: -23.456_789,
    ...given,
  };
}

function voice(given: Partial<AccountVoice> = {}): AccountVoice {
  return {
    accountId: 'default',
    voiceId: randomUUID(),
    origin: 'recordings',
    name: 'Ada "quoted"; DROP TABLE voice; — голос 🎙',
    description: null,
    labels: { accent: 'scottish', ['__proto__']: 'x' },
    createdAtMs: 1_763_700_000_123,
    samples: [sample(), sample({ removeBackgroundNoise: false })],
    ...given,
  };
}

/** What every adapter of `VoiceStore` must do. */
export function voiceStoreContract(technology: string, newPlace: () => StoragePlace): void {
  describe(`voice store on ${technology}`, () => {
    it('returns exactly what was added, over a restart', async () => {
      const place = newPlace();
      const added = voice();
      {
        await using before = await place.open();
        expect(await before.voices.add(added, NO_VOICE_LIMITS)).toBe('added');
      }
      await using after = await place.open();
      expect(await after.voices.find('default', added.voiceId)).toEqual(added);
      expect(await after.voices.list('default')).toEqual([added]);
    });

    it('keeps the first of two with the same id, and all of its samples', async () => {
      await using storage = await newPlace().open();
      const first = voice();
      await storage.voices.add(first, NO_VOICE_LIMITS);
      expect(await storage.voices.add(voice({ voiceId: first.voiceId }), NO_VOICE_LIMITS)).toBe(
        'known',
      );
      expect(await storage.voices.find('default', first.voiceId)).toEqual(first);
    });

    it('lets accounts have the same library voice, each its own', async () => {
      await using storage = await newPlace().open();
      const mine = voice({ origin: 'library', samples: [] });
      const theirs = { ...mine, accountId: 'other', name: 'Bert' };
      expect(await storage.voices.add(mine, NO_VOICE_LIMITS)).toBe('added');
      expect(await storage.voices.add(theirs, NO_VOICE_LIMITS)).toBe('added');
      expect(await storage.voices.find('other', mine.voiceId)).toEqual(theirs);
      expect(await storage.voices.remove('other', mine.voiceId)).toBe(true);
      expect(await storage.voices.list('default')).toEqual([mine]);
    });

    it('lists and counts the voices of one account, oldest first', async () => {
      await using storage = await newPlace().open();
      const newer = voice({ createdAtMs: 3 });
      const older = voice({ createdAtMs: 1, samples: [] });
      for (const one of [newer, voice({ accountId: 'other' }), older]) {
        await storage.voices.add(one, NO_VOICE_LIMITS);
      }
      expect(await storage.voices.list('default')).toEqual([older, newer]);
      expect(await storage.voices.count('default')).toBe(2);
      expect(await storage.voices.count('nobody')).toBe(0);
    });

    it('adds no more voices than the account may have, however many add at once', async () => {
      await using storage = await newPlace().open();
      const limits = { ...NO_VOICE_LIMITS, voices: 3 };
      await storage.voices.add(voice({ accountId: 'other' }), limits);
      const additions = await Promise.all(
        Array.from({ length: 12 }, () => storage.voices.add(voice(), limits)),
      );
      expect(additions.filter((addition) => addition === 'added')).toHaveLength(3);
      expect(additions.filter((addition) => addition === 'too-many-voices')).toHaveLength(9);
      expect(await storage.voices.count('default')).toBe(3);
      const [known] = await storage.voices.list('default');
      expect(known && (await storage.voices.add(known, limits))).toBe('known');
    });

    it('keeps no more recordings than a voice and an account may have', async () => {
      await using storage = await newPlace().open();
      const limits = { voices: 10, samples: 6, sampleBytes: 100 };
      const first = voice({ samples: [sample({ sizeBytes: 40 })] });
      expect(await storage.voices.add(first, limits)).toBe('added');
      const second = voice({ samples: [sample({ sizeBytes: 61 })] });
      expect(await storage.voices.add(second, limits)).toBe('too-many-bytes');
      expect(await storage.voices.find('default', second.voiceId)).toBeUndefined();
      const change = () => ({ addedSamples: [sample({ sizeBytes: 10 })] });
      const changes = await Promise.all(
        Array.from({ length: 12 }, () =>
          storage.voices.change('default', first.voiceId, change(), limits),
        ),
      );
      expect(changes.filter((outcome) => outcome === 'changed')).toHaveLength(5);
      expect(changes.filter((outcome) => outcome === 'too-many-samples')).toHaveLength(7);
      const big = { name: 'Never', addedSamples: [sample({ sizeBytes: 11 })] };
      const roomy = { ...limits, samples: 25 };
      expect(await storage.voices.change('default', first.voiceId, big, roomy)).toBe(
        'too-many-bytes',
      );
      const kept = await storage.voices.find('default', first.voiceId);
      expect(kept?.samples.map(({ sizeBytes }) => sizeBytes)).toEqual([40, 10, 10, 10, 10, 10]);
      expect(kept?.name).toBe(first.name);
      expect(await storage.voices.change('default', first.voiceId, { name: 'B' }, limits)).toBe(
        'changed',
      );
    });

    it('changes what it is told to, and nothing else', async () => {
      await using storage = await newPlace().open();
      const before = voice();
      await storage.voices.add(before, NO_VOICE_LIMITS);
      const { voiceId } = before;
      expect(await storage.voices.change('default', voiceId, {}, NO_VOICE_LIMITS)).toBe('changed');
      expect(await storage.voices.find('default', voiceId)).toEqual(before);
      const addedSamples = [sample(), sample()];
      const labels = { gender: 'female' };
      await storage.voices.change(
        'default',
        voiceId,
        { name: 'New', labels, addedSamples },
        NO_VOICE_LIMITS,
      );
      await storage.voices.change('default', voiceId, { description: 'Low.' }, NO_VOICE_LIMITS);
      expect(await storage.voices.find('default', voiceId)).toEqual({
        ...before,
        name: 'New',
        labels,
        description: 'Low.',
        samples: [...before.samples, ...addedSamples],
      });
      expect(
        await storage.voices.change('other', voiceId, { name: 'Theirs' }, NO_VOICE_LIMITS),
      ).toBe('unknown');
    });

    it('removes a voice once, with its samples and settings, and only for its own account', async () => {
      await using storage = await newPlace().open();
      const gone = voice();
      const { voiceId } = gone;
      await storage.voices.add(gone, NO_VOICE_LIMITS);
      await storage.voices.putSettings('default', voiceId, DEFAULT_VOICE_SETTINGS);
      expect(await storage.voices.remove('other', voiceId)).toBe(false);
      expect(await storage.voices.remove('default', voiceId)).toBe(true);
      expect(await storage.voices.remove('default', voiceId)).toBe(false);
      expect(await storage.voices.findSettings('default', voiceId)).toBeUndefined();
      const again = { ...gone, samples: [] };
      await storage.voices.add(again, NO_VOICE_LIMITS);
      expect(await storage.voices.find('default', voiceId)).toEqual(again);
    });

    it('keeps the settings that an account last gave to a voice, its own or not', async () => {
      await using storage = await newPlace().open();
      const first = { ...DEFAULT_VOICE_SETTINGS, stability: 0.1, speed: 1.15 };
      const last = { ...first, useSpeakerBoost: false, similarityBoost: 0.333 };
      await storage.voices.putSettings('default', 'somebody', first);
      await storage.voices.putSettings('default', 'somebody', last);
      await storage.voices.putSettings('other', 'somebody', first);
      expect(await storage.voices.findSettings('default', 'somebody')).toEqual(last);
      expect(await storage.voices.listSettings('default')).toEqual(new Map([['somebody', last]]));
      expect(await storage.voices.findSettings('default', 'nobody')).toBeUndefined();
    });
  });
}
