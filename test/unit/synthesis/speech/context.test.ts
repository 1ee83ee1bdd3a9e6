import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { Voice } from '../../../../src/domain/voice.ts';
import { Context } from '../../../../src/synthesis/speech/context.ts';
import type { Speaker } from '../../../../src/synthesis/speech/speaker.ts';
import { Utterance } from '../../../../src/synthesis/speech/utterance.ts';
import { windowsForLevel } from '../../../../src/synthesis/speech/window-schedules.ts';
import { policyForLevel } from '../../../../src/synthesis/text/chunk-policy.ts';
import { Chunker } from '../../../../src/synthesis/text/chunker.ts';
import { FrontEnd } from '../../../../src/synthesis/text/front-end.ts';
import { LetterPhonemiser } from '../../../support/letter-phonemiser.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';

const SENTENCES = Array.from({ length: 2000 }, (_, index) => ` This is sentence ${index}.`);
const VOICE: Voice = {
  ...{ voiceId: 'toneToneToneTone0000', name: 'Tone', language: 'en-US' },
  ...{ phonemeLanguage: 'en-us', gender: null, description: null, modelFile: 'tone', speaker: 0 },
  ...{ licence: 'none', attribution: 'none', listed: true },
};

class CountingPhonemiser extends LetterPhonemiser {
  read = 0;

  override pronounce(spoken: string, language: string, signal: AbortSignal) {
    this.read++;
    return super.pronounce(spoken, language, signal);
  }
}

function openContext(assertRoom?: Speaker['assertRoom']) {
  const engine = new ToneEngine({ samplesPerSymbol: 64 });
  const phonemiser = new CountingPhonemiser();
  const charged: number[] = [];
  let end: (error: SpeechError | undefined) => void = () => undefined;
  const ended = new Promise<SpeechError | undefined>((resolve) => {
    end = resolve;
  });
  const enter = async (characters: number) => {
    charged.push(characters);
    return { hear: () => undefined, end: async () => undefined };
  };
  const begin = () => ({
    chunker: new Chunker(policyForLevel(0), 'en'),
    utterance: new Utterance(
      {
        engine,
        frontEnd: new FrontEnd(phonemiser, () => undefined),
        now: () => 0,
        ...(assertRoom && { assertRoom }),
      },
      {
        accountId: 'a',
        ...{ voice: VOICE, format: parseOutputFormat('pcm_22050'), seed: 1, normalise: false },
        delivery: { variation: 1, rhythm: 1, pace: 1 },
        ...{ windows: windowsForLevel(0), alignment: 'chunk', trimsLeadingSilence: false },
        meter: { enter },
      },
      async () => undefined,
      () => undefined,
    ),
  });
  return { context: new Context('a', begin, end), engine, phonemiser, charged, ended };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a long message', () => {
  it('is prepared a few chunks ahead of speech, and all of it waits', async () => {
    const { context, engine, phonemiser } = openContext();
    engine.hold();
    const text = SENTENCES.join('');
    context.text(text, false);
    await turns(200);
    expect(phonemiser.read).toBe(3);
    expect(context.waitingChars).toBe(text.length);
    expect(context.busy).toBe(true);
    context.cancel();
  });

  it('is spoken in order to its end, with what comes while it is read behind it', async () => {
    const { context, engine, charged, ended } = openContext();
    const first = SENTENCES.slice(0, 60).join('');
    context.text(first, false);
    context.text(' And', false);
    await turns(2);
    context.text(' the rest. Held', false);
    context.close();
    expect(context.waitingChars).toBeGreaterThan(0);
    expect(await ended).toBeUndefined();
    expect(engine.spoken.join('')).toBe(`${first} And the rest. Held`);
    expect(charged.reduce((sum, characters) => sum + characters, 0)).toBe(engine.spoken.length);
    expect([context.waitingChars, context.busy]).toEqual([0, false]);
  });

  it('is not read on once its context is cancelled', async () => {
    const { context, engine, phonemiser, ended } = openContext();
    context.text(SENTENCES.join(''), false);
    while (engine.spoken.length < 40) await turns(1);
    context.cancel();
    await ended;
    const [spoken, read] = [engine.spoken.length, phonemiser.read];
    await turns(100);
    expect([engine.spoken.length, phonemiser.read]).toEqual([spoken, read]);
    expect(context.state).toBe('closed');
  });

  it('counts an emoji as one character', async () => {
    const { context, charged, ended } = openContext();
    context.text('Fine 👍 5.', false);
    expect(context.waitingChars).toBe(9);
    context.close();
    await ended;
    expect(charged).toEqual([9]);
  });
});

describe('a context that an engine without room would refuse', () => {
  it('is refused before its text is read', async () => {
    const refusal = new SpeechError('system_busy', 'Full.');
    const { context, phonemiser, charged, ended } = openContext(() => {
      throw refusal;
    });
    context.text('Nobody has time for this. ', false);
    context.close();
    expect(await ended).toBe(refusal);
    expect(phonemiser.read).toBe(0);
    expect(charged).toEqual([]);
  });
});
