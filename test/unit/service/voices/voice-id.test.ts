import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelKeyOf, parseVoiceId, voiceIdOf } from '../../../../src/service/voices/voice-id.ts';

describe('voiceIdOf', () => {
  it('reads as model, mark and speaker', () => {
    expect(voiceIdOf('en_US-libritts_r-medium', 14)).toMatch(/^enUSlibritts[A-Za-z0-9]{4}0014$/);
  });

  it('never changes: callers keep ids in their settings', () => {
    expect(voiceIdOf('en_US-libritts_r-medium', 14)).toBe('enUSlibrittsfFT50014');
    expect(voiceIdOf('pt_BR-faber-medium', 0)).toBe('ptBRfabermed0CLV0000');
  });

  it('is 20 letters and digits for any name, and gives model and speaker back', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(9999), (modelId, speaker) => {
        const voiceId = voiceIdOf(modelId, speaker);
        expect(voiceId).toMatch(/^[A-Za-z0-9]{20}$/);
        expect(parseVoiceId(voiceId)).toEqual({ modelKey: modelKeyOf(modelId), speaker });
      }),
    );
  });

  it('tells models apart whose names begin alike', () => {
    const qualities = ['low', 'medium', 'high', 'x_low'];
    const keys = qualities.map((quality) => modelKeyOf(`en_US-libritts_r-${quality}`));
    expect(new Set(keys).size).toBe(qualities.length);
  });

  it.each([-1, 1.5, 10_000, Number.NaN])('refuses speaker %s', (speaker) => {
    expect(() => voiceIdOf('en_US-libritts_r-medium', speaker)).toThrow(RangeError);
  });
});

describe('parseVoiceId', () => {
  it.each([
    '',
    'Ava',
    'enUSlibritts',
    'enUSlibrittsXXXX00140',
    'enUSlibrittsXXXX001x',
    'é'.repeat(20),
  ])('does not take %j for an id', (text) => {
    expect(parseVoiceId(text)).toBeUndefined();
  });
});
