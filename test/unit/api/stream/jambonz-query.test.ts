import { describe, expect, it } from 'vitest';
import {
  JAMBONZ_QUERY_SCHEMA,
  jambonzRequest,
  jambonzVoice,
} from '../../../../src/api/stream/jambonz-query.ts';

describe('the query of jambonz', () => {
  it('asks for PCM at the rate of the call, as a conversation needs it', () => {
    expect(jambonzRequest({ voice: 'x', language: 'en-US', sampleRate: '16000' })).toMatchObject({
      format: { name: 'pcm_16000' },
      latencyLevel: JAMBONZ_QUERY_SCHEMA.properties.optimize_streaming_latency.default,
      autoMode: false,
      normalise: true,
    });
  });

  it.each([
    [undefined, 8000],
    ['8000', 8000],
    ['24000', 24_000],
    ['44100', 32_000],
    ['96000', 48_000],
    ['0', 8000],
    ['NaN', 8000],
    ['', 8000],
  ])('with the rate %s hears %i', (sampleRate, rate) => {
    expect(jambonzRequest({ sampleRate }).format.sampleRate).toBe(rate);
  });

  it('cannot ask for another encoding, and can for another level', () => {
    const wishes = jambonzRequest({
      output_format: 'mp3_44100_128',
      optimize_streaming_latency: '0',
    });
    expect(wishes).toMatchObject({ format: { name: 'pcm_8000' }, latencyLevel: 0 });
    expect(() => jambonzRequest({ optimize_streaming_latency: '7' })).toThrowError(
      expect.objectContaining({ param: 'optimize_streaming_latency' }),
    );
  });

  it('may leave the voice to the address', () => {
    expect(jambonzVoice({ voice: 'abc' })).toBe('abc');
    expect(jambonzVoice({ voice: '' })).toBeUndefined();
    expect(jambonzVoice({})).toBeUndefined();
  });
});
