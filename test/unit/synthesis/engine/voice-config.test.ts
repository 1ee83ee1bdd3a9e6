import { describe, expect, it } from 'vitest';
import { parseVoiceConfig } from '../../../../src/synthesis/engine/voice-config.ts';

const minimal = {
  audio: { sample_rate: 22_050 },
  espeak: { voice: 'pt-br' },
  phoneme_id_map: { _: [0], a: [14] },
};

describe('a voice’s settings', () => {
  it('are read as Piper writes them', () => {
    const config = parseVoiceConfig({
      ...minimal,
      language: { code: 'pt_BR', name_english: 'Portuguese' },
      inference: { noise_scale: 0.8, length_scale: 1.4, noise_w: 1 },
      num_speakers: 2,
      speaker_id_map: { ana: 0, rui: 1 },
      phoneme_map: { c: ['k'] },
      piper_version: '1.0.0',
    });
    expect(config).toEqual({
      sampleRate: 22_050,
      espeakVoice: 'pt-br',
      language: { code: 'pt_BR', name: 'Portuguese' },
      speakers: 2,
      speakerIdMap: { ana: 0, rui: 1 },
      inference: { noiseScale: 0.8, lengthScale: 1.4, noiseW: 1 },
      phonemeIds: new Map([
        ['_', [0]],
        ['a', [14]],
      ]),
      phonemeMap: new Map([['c', ['k']]]),
      hopLength: 256,
    });
  });

  it('have Piper’s defaults for what an old file leaves out', () => {
    expect(parseVoiceConfig(minimal)).toMatchObject({
      speakers: 1,
      language: { code: 'pt-br', name: 'pt-br' },
      inference: { noiseScale: 0.667, lengthScale: 1, noiseW: 0.8 },
    });
  });

  it.each([
    ['no object', [], 'the file is not an object'],
    ['no rate', { ...minimal, audio: {} }, 'audio.sample_rate'],
    ['a rate of 0', { ...minimal, audio: { sample_rate: 0 } }, 'audio.sample_rate'],
    ['no espeak voice', { ...minimal, espeak: {} }, 'espeak.voice'],
    ['no phonemes', { ...minimal, phoneme_id_map: undefined }, 'phoneme_id_map'],
    ['ids that are texts', { ...minimal, phoneme_id_map: { a: ['1'] } }, 'phoneme_id_map["a"]'],
    ['another kind of phonemes', { ...minimal, phoneme_type: 'text' }, 'phoneme_type "text"'],
    ['odd noise', { ...minimal, inference: { noise_w: 'loud' } }, 'inference.noise_w'],
  ])('say which field is wrong: %s', (_, value, field) => {
    expect(() => parseVoiceConfig(value)).toThrow(field);
  });
});
