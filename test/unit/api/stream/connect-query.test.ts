import { describe, expect, it } from 'vitest';
import { parseConnectQuery } from '../../../../src/api/stream/connect-query.ts';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';

describe('parseConnectQuery', () => {
  it('reads whether all text is SSML', () => {
    expect(parseConnectQuery({ enable_ssml_parsing: 'true' })).toMatchObject({ isSsml: true });
    expect(() => parseConnectQuery({ enable_ssml_parsing: 'maybe' })).toThrow(
      'enable_ssml_parsing',
    );
  });

  it('has phone audio, whole sentences and the normaliser as defaults', () => {
    expect(parseConnectQuery({})).toEqual({
      format: parseOutputFormat('ulaw_8000'),
      isSsml: false,
      hasAudioTags: false,
      latencyLevel: 0,
      autoMode: false,
      inactivityTimeoutMs: 20_000,
      seed: undefined,
      normalise: true,
      alignment: 'chunk',
    });
  });

  it.each([
    [{ optimize_streaming_latency: '3' }, { latencyLevel: 3, normalise: true }],
    [{ optimize_streaming_latency: '4' }, { latencyLevel: 4, normalise: false }],
    [{ optimize_streaming_latency: '4', apply_text_normalization: 'on' }, { normalise: true }],
    [{ apply_text_normalization: 'off' }, { normalise: false }],
    [{ auto_mode: 'True' }, { autoMode: true }],
    [{ sync_alignment: 'true' }, { alignment: 'synchronised' }],
    [
      { auto_mode: '1', sync_alignment: 'no' },
      { autoMode: true, alignment: 'chunk' },
    ],
    [{ inactivity_timeout: '180' }, { inactivityTimeoutMs: 180_000 }],
    [{ inactivity_timeout: '300' }, { inactivityTimeoutMs: 180_000 }],
    [
      { output_format: 'mp3_44100' },
      { format: expect.objectContaining({ name: 'mp3_44100_128' }) },
    ],
    [{ seed: '4294967295' }, { seed: 4_294_967_295 }],
    [{ seed: '' }, { seed: undefined }],
    [
      { output_format: ['pcm_8000', 'pcm_16000'] },
      { format: expect.objectContaining({ name: 'pcm_16000' }) },
    ],
  ])('reads %j', (query, expected) => {
    expect(parseConnectQuery(query)).toMatchObject(expected);
  });

  it.each([
    ['output_format', 'mp3_1', 'invalid_output_format'],
    ['output_format', 'wav_24000', 'invalid_output_format'],
    ['optimize_streaming_latency', '5', 'invalid_input_message'],
    ['optimize_streaming_latency', '-1', 'invalid_input_message'],
    ['inactivity_timeout', '0', 'invalid_input_message'],
    ['inactivity_timeout', 'soon', 'invalid_input_message'],
    ['seed', '4294967296', 'invalid_input_message'],
    ['seed', '1.5', 'invalid_input_message'],
    ['auto_mode', 'maybe', 'invalid_input_message'],
    ['apply_text_normalization', 'never', 'invalid_input_message'],
  ])('refuses %s=%s and names it', (param, value, code) => {
    expect(() => parseConnectQuery({ [param]: value })).toThrowError(
      expect.objectContaining({ code, param }),
    );
  });
});
