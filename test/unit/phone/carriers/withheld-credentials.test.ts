import { describe, expect, it } from 'vitest';
import { twilio } from '../../../../src/phone/carriers/twilio/twilio.ts';
import { WithheldCredentials } from '../../../../src/phone/carriers/withheld-credentials.ts';

function started(customParameters: Readonly<Record<string, string>>) {
  const dialect = new WithheldCredentials(twilio.open({ headers: {}, query: {} }));
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = { callSid: 'CA0', customParameters, mediaFormat };
  const [event] = dialect.receive(JSON.stringify({ event: 'start', streamSid: 'MZ0', start }));
  if (event?.type !== 'start') throw new Error('The stream did not start.');
  return { dialect, parameters: event.start.parameters };
}

describe('tokens and keys among the parameters of a stream', () => {
  it('are told to nobody but whoever admits the stream', () => {
    const { dialect, parameters } = started({
      token: 't',
      api_key: 'k',
      API_KEY: 'K',
      name: 'Jane',
    });
    expect(parameters).toEqual({ name: 'Jane' });
    expect(dialect.credentials).toEqual({ token: 't', key: 'k' });
  });

  it.each([
    [{ single_use_token: 't' }, { token: 't', key: undefined }],
    [{ authorization: 'Bearer k' }, { token: undefined, key: 'k' }],
    [{ 'xi-api-key': 'k' }, { token: undefined, key: 'k' }],
    [{}, { token: undefined, key: undefined }],
  ])('may be called %j', (given, credentials) => {
    expect(started(given).dialect.credentials).toEqual(credentials);
  });

  it('leave the rest of the language as it is', () => {
    const { dialect } = started({});
    expect(dialect.play(new Uint8Array(160))).toHaveLength(1);
    expect(dialect.mark('a')).toHaveLength(1);
    expect(dialect.clear()).toHaveLength(1);
    expect(dialect.done()).toEqual([]);
    expect(dialect.hangUp()).toEqual([]);
    expect(dialect.receive('{"event":"stop"}')).toEqual([{ type: 'stop' }]);
  });
});
