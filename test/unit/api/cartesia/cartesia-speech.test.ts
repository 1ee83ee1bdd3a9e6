import { describe, expect, it } from 'vitest';
import {
  cartesiaModel,
  cartesiaReading,
  cartesiaSettings,
  cartesiaVoice,
} from '../../../../src/api/cartesia/cartesia-speech.ts';

describe('a request of a Cartesia client', () => {
  it('names a voice bare or in an object, and no embedding', () => {
    expect(cartesiaVoice({ voice: 'a' })).toBe('a');
    expect(cartesiaVoice({ voice: { mode: 'id', id: 'a' } })).toBe('a');
    expect(cartesiaVoice({ voice: { id: 'a' } })).toBe('a');
    expect(cartesiaVoice({ voice: null })).toBeUndefined();
    expect(() => cartesiaVoice({ voice: { mode: 'embedding' } })).toThrow('by its id');
  });

  it('names a model with or without the day that it is of', () => {
    const ids = ['sonic', 'sonic-2', 'sonic-3', 'sonic-3-2025-10-27', 'sonic-3.5-2026-05-04'];
    for (const id of [...ids, 'sonic-turbo', 'sonic-latest', 'svc_turbo_v1']) {
      expect(cartesiaModel({ model_id: id }).modelId).toBe('svc_turbo_v1');
    }
    expect(cartesiaModel({}).modelId).toBe('svc_monolingual_v1');
    expect(() => cartesiaModel({ model_id: 'sonic-99' })).toThrow('sonic-99');
  });

  it.each([
    [{ generation_config: { speed: 1.5 } }, { speed: 1.2 }],
    [{ generation_config: { speed: 0.6 } }, { speed: 0.7 }],
    [{ generation_config: { speed: null }, speed: 'fast' }, { speed: 1.1 }],
    [{ speed: 'slow' }, { speed: 0.85 }],
    [{ speed: 1.1 }, { speed: 1.1 }],
    [{ speed: 'normal' }, { speed: 1 }],
    [{}, {}],
  ])('%j is spoken at %j', (fields, voiceSettings) => {
    expect(cartesiaSettings(fields).voiceSettings).toEqual(voiceSettings);
  });

  it('is told what there is not', () => {
    expect(() => cartesiaSettings({ speed: 'quick' })).toThrow(/speed must be a number/);
    expect(() => cartesiaSettings({ add_phoneme_timestamps: true })).toThrow('add_timestamps');
  });

  it('may name a dictionary, a level, and numbers as they are', () => {
    const { dictionaries } = cartesiaSettings({ pronunciation_dict_id: 'd' });
    expect(dictionaries).toEqual([{ dictionaryId: 'd', versionId: undefined }]);
    expect(cartesiaReading({}, 3)).toMatchObject({ latencyLevel: 3, normalise: true });
    const asked = { normalization: 'off', optimize_streaming_latency: 1 };
    expect(cartesiaReading(asked, 3)).toMatchObject({ latencyLevel: 1, normalise: false });
  });
});
