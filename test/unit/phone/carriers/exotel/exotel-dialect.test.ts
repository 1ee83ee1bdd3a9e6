import { describe, expect, it } from 'vitest';
import { exotel } from '../../../../../src/phone/carriers/exotel/exotel.ts';

const REQUEST = { headers: {}, query: { 'sample-rate': '16000', tier: 'gold', token: 'secret' } };

function startMessage(media_format: object = { encoding: 'audio/x-raw', sample_rate: '8000' }) {
  const start = {
    stream_sid: 'MZ1',
    call_sid: 'CA1',
    from: '+919876543210',
    to: '+918047491899',
    custom_parameters: { language: 'hi' },
    media_format,
  };
  return JSON.stringify({ event: 'start', sequence_number: '1', stream_sid: 'MZ1', start });
}

function opened() {
  const dialect = exotel.open(REQUEST);
  dialect.receive(startMessage());
  return dialect;
}

const refused = expect.objectContaining({ code: 'invalid_input_message' });

describe('Exotel', () => {
  it.each([
    [{ encoding: 'audio/x-raw', sample_rate: '8000', bit_rate: '16' }, 'pcm_8000'],
    [{ encoding: 'raw/slin', sample_rate: '16000' }, 'pcm_16000'],
    [{ sample_rate: 24000 }, 'pcm_24000'],
    [{}, 'pcm_8000'],
    [{ encoding: 'audio/x-mulaw', sample_rate: '8000' }, 'ulaw_8000'],
  ])('starts with %j as %s', (format, name) => {
    expect(exotel.open(REQUEST).receive(startMessage(format))).toMatchObject([
      { type: 'start', start: { callerFormat: { name }, spokenFormat: { name } } },
    ]);
  });

  it('tells who calls whom, and what was passed along except what lets somebody in', () => {
    const [start] = exotel.open(REQUEST).receive(startMessage());
    expect(start).toMatchObject({
      start: {
        streamId: 'MZ1',
        carrierCallId: 'CA1',
        from: '+919876543210',
        to: '+918047491899',
        parameters: { tier: 'gold', language: 'hi' },
      },
    });
    expect(start).not.toMatchObject({ start: { parameters: { token: expect.anything() } } });
  });

  it('sends multiples of 320 bytes, 3200 at least and 100 kB at most, at every rate', () => {
    for (const rate of [8000, 16000, 24000]) {
      for (const units of [exotel.unitsPerMessage, exotel.maxUnitsPerMessage]) {
        const bytes = (units * 20 * 2 * rate) / 1000;
        expect(bytes % 320).toBe(0);
        expect(bytes).toBeGreaterThanOrEqual(3200);
        expect((bytes * 4) / 3).toBeLessThanOrEqual(100_000);
      }
    }
    const audio = Uint8Array.from({ length: 3200 }, (_, index) => index % 251);
    const [message, ...more] = opened().play(audio);
    expect(more).toEqual([]);
    const payload = Buffer.from(audio).toString('base64');
    expect(JSON.parse(String(message))).toEqual({
      event: 'media',
      stream_sid: 'MZ1',
      media: { payload },
    });
  });

  it('marks and clears', () => {
    const dialect = opened();
    expect(dialect.mark('m1').map((message) => JSON.parse(String(message)))).toEqual([
      { event: 'mark', stream_sid: 'MZ1', mark: { name: 'm1' } },
    ]);
    expect(dialect.clear().map((message) => JSON.parse(String(message)))).toEqual([
      { event: 'clear', stream_sid: 'MZ1' },
    ]);
    expect(dialect.receive('{"event":"mark","stream_sid":"MZ1","mark":{"name":"m1"}}')).toEqual([
      { type: 'mark', name: 'm1' },
    ]);
  });

  it('hears the caller, keys and the end', () => {
    const dialect = opened();
    const payload = Buffer.of(1, 0, 2, 0).toString('base64');
    expect(dialect.receive(JSON.stringify({ event: 'media', media: { payload } }))).toEqual([
      { type: 'caller-audio', audio: Buffer.of(1, 0, 2, 0) },
    ]);
    expect(dialect.receive('{"event":"dtmf","dtmf":{"digit":"*"}}')).toEqual([
      { type: 'dtmf', digit: '*' },
    ]);
    expect(dialect.receive('{"event":"connected"}')).toEqual([]);
    expect(dialect.receive('{"event":"stop","stop":{"reason":"callended"}}')).toEqual([
      { type: 'stop' },
    ]);
  });

  it.each([
    startMessage({ sample_rate: '44100' }),
    startMessage({ encoding: 'mulaw', sample_rate: '16000' }),
    '{"event":"start","start":{}}',
    '{"event":"media","media":{"payload":"AAAA"}}',
    'hello',
    Uint8Array.of(1, 2),
  ])('refuses %s before it has started', (message) => {
    expect(() => exotel.open(REQUEST).receive(message)).toThrow(refused);
  });

  it.each([
    '{"event":"media"}',
    '{"event":"media","media":{"payload":5}}',
    '{"event":"media","media":{"payload":"AAA"}}',
    '{"event":"media","media":{"payload":"AA=="}}',
    '{"event":"media","media":{"payload":"über"}}',
    '{"event":"dtmf","dtmf":{"digit":"E"}}',
    '{"event":"mark","mark":{}}',
  ])('refuses %s later', (message) => {
    expect(() => opened().receive(message)).toThrow(refused);
  });
});
