import { describe, expect, it } from 'vitest';
import type {
  WireSpeechBody,
  WireSpeechQuery,
} from '../../../../src/api/rest-speech/speech-schemas.ts';
import { readTextRequest } from '../../../../src/api/rest-speech/text-request.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';

function read(body: Partial<WireSpeechBody>, query: WireSpeechQuery = {}) {
  return readTextRequest({ text: 'Hello.', ...body }, query, () => undefined);
}

function refusal(body: Partial<WireSpeechBody>, query: WireSpeechQuery = {}) {
  try {
    read(body, query);
  } catch (thrown) {
    if (thrown instanceof SpeechError) return { code: thrown.code, param: thrown.param };
    throw thrown;
  }
  throw new Error('The request was accepted.');
}

describe('a speech request', () => {
  it('has the defaults of the protocol', () => {
    expect(read({})).toMatchObject({
      format: { name: 'mp3_44100_128' },
      model: { modelId: 'svc_monolingual_v1' },
      latencyLevel: 0,
      normalise: true,
      seed: undefined,
      voiceSettings: {},
      dictionaries: [],
      isKept: true,
    });
  });

  it('takes null and an empty value for absent', () => {
    const nulls = {
      model_id: null,
      voice_settings: null,
      seed: null,
      apply_text_normalization: null,
      pronunciation_dictionary_locators: null,
      optimize_streaming_latency: null,
    } as const;
    expect(read(nulls, { output_format: '', enable_logging: null })).toEqual(read({}));
    expect(read({ voice_settings: { speed: null } }).voiceSettings).toEqual({});
  });

  it('takes the latency level from the query, then the body, then the voice settings', () => {
    const settings = { optimize_streaming_latency: 1 };
    const level = (body: Partial<WireSpeechBody>, query: WireSpeechQuery) =>
      read(body, query).latencyLevel;
    expect(level({ voice_settings: settings }, {})).toBe(1);
    expect(level({ voice_settings: settings, optimize_streaming_latency: 2 }, {})).toBe(2);
    expect(level({ optimize_streaming_latency: 2 }, { optimize_streaming_latency: 3 })).toBe(3);
    expect(level({ optimize_streaming_latency: 2 }, { optimize_streaming_latency: 0 })).toBe(0);
  });

  it('leaves the normaliser out when asked to, and at level 4 unless it is asked for', () => {
    expect(read({ apply_text_normalization: 'off' }).normalise).toBe(false);
    expect(read({}, { optimize_streaming_latency: 4 }).normalise).toBe(false);
    expect(
      read({ apply_text_normalization: 'on' }, { optimize_streaming_latency: 4 }).normalise,
    ).toBe(true);
  });

  it('names dictionaries in the order of the request', () => {
    const locators = [
      { pronunciation_dictionary_id: 'one', version_id: 'v1' },
      { pronunciation_dictionary_id: 'two', version_id: null },
    ];
    expect(read({ pronunciation_dictionary_locators: locators }).dictionaries).toEqual([
      { dictionaryId: 'one', versionId: 'v1' },
      { dictionaryId: 'two', versionId: undefined },
    ]);
  });

  it.each([
    ['a format that is not there', {}, { output_format: 'mp3_1' }, 'invalid_output_format'],
    ['no text', { text: '' }, {}, 'empty_text'],
    ['blank text', { text: ' \n' }, {}, 'empty_text'],
    ['a seed below its range', { seed: -1 }, {}, 'invalid_parameters'],
    ['a seed above its range', { seed: 2 ** 32 }, {}, 'invalid_parameters'],
    ['four neighbours', { next_request_ids: ['a', 'b', 'c', 'd'] }, {}, 'invalid_parameters'],
    ['a hurried voice', { voice_settings: { speed: 1.3 } }, {}, 'invalid_voice_settings'],
    ['an unheard-of style', { voice_settings: { style: -0.1 } }, {}, 'invalid_voice_settings'],
    ['a model that is not there', { model_id: 'eleven_v9' }, {}, 'unsupported_model'],
    ['too much text', { text: 'a'.repeat(10_001) }, {}, 'text_too_long'],
  ] as const)('is refused for %s', (_what, body, query, code) => {
    expect(refusal(body as Partial<WireSpeechBody>, query)).toMatchObject({
      code,
      param: expect.any(String),
    });
  });

  it('may be as long as its model allows', () => {
    expect(read({ text: 'a'.repeat(10_000) }).text).toHaveLength(10_000);
    const turbo = { model_id: 'eleven_flash_v2_5' };
    expect(read({ text: 'a'.repeat(40_000), ...turbo }).text).toHaveLength(40_000);
    expect(refusal({ text: 'a'.repeat(40_001), ...turbo }).code).toBe('text_too_long');
  });

  it('is checked in the order of the protocol: format, text, seed, lists, the rest', () => {
    const locator = { pronunciation_dictionary_id: 'one' };
    const wrong = {
      text: '',
      seed: -1,
      pronunciation_dictionary_locators: Array(4).fill(locator),
      voice_settings: { speed: 9 },
      model_id: 'nobody',
    };
    const params = [
      refusal(wrong, { output_format: 'nothing' }),
      refusal(wrong),
      refusal({ ...wrong, text: 'a' }),
      refusal({ ...wrong, text: 'a', seed: 1 }),
      refusal({ ...wrong, text: 'a', seed: 1, pronunciation_dictionary_locators: [] }),
      refusal({ text: 'a', model_id: 'nobody' }),
    ].map(({ param }) => param);
    expect(params).toEqual([
      'output_format',
      'text',
      'seed',
      'pronunciation_dictionary_locators',
      'voice_settings.speed',
      'model_id',
    ]);
  });
});
