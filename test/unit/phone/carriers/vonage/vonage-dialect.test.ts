import { describe, expect, it } from 'vitest';
import { vonage } from '../../../../../src/phone/carriers/vonage/vonage.ts';

const REQUEST = { headers: { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }, query: {} };
const CONNECTED = { event: 'websocket:connected', 'content-type': 'audio/l16;rate=16000' };

function opened(connected: object = CONNECTED) {
  const dialect = vonage.open(REQUEST);
  const [start] = dialect.receive(JSON.stringify(connected));
  return { dialect, start };
}

describe('Vonage', () => {
  it.each([8000, 16000, 24000])('starts at %d Hz, with the headers as parameters', (rate) => {
    const { start } = opened({
      ...CONNECTED,
      'content-type': `audio/l16;rate=${rate}`,
      call_id: 'aaaaaaaa-bbbb',
      from: '447700900001',
      to: '447700900002',
      age: 40,
      roles: [1, 2],
    });
    expect(start).toMatchObject({
      type: 'start',
      start: {
        streamId: 'aaaaaaaa-bbbb',
        carrierCallId: 'aaaaaaaa-bbbb',
        from: '447700900001',
        to: '447700900002',
        parameters: { call_id: 'aaaaaaaa-bbbb', age: '40', roles: '[1,2]' },
        callerFormat: { name: `pcm_${rate}` },
        spokenFormat: { name: `pcm_${rate}` },
      },
    });
  });

  it('tells streams apart that carry no id', () => {
    expect(opened().start).toMatchObject({ start: { streamId: 'dGhlIHNhbXBsZSBub25jZQ==' } });
  });

  it('sends messages of 20 ms exactly', () => {
    const units = Uint8Array.from({ length: 3 * 640 }, (_, index) => index % 251);
    const messages = opened().dialect.play(units);
    expect(messages.map((message) => message.length)).toEqual([640, 640, 640]);
    expect(Buffer.concat(messages as Uint8Array[]).equals(units)).toBe(true);
  });

  it('marks come back as they went out; the notifications of others do not', () => {
    const { dialect } = opened();
    const [message] = dialect.mark('utterance "3"');
    const { action, payload } = JSON.parse(String(message));
    expect(action).toBe('notify');
    const echo = JSON.stringify({ event: 'websocket:notify', payload });
    expect(dialect.receive(echo)).toEqual([{ type: 'mark', name: 'utterance "3"' }]);
    for (const payload of [undefined, null, 'text', { mark: 3 }]) {
      expect(dialect.receive(JSON.stringify({ event: 'websocket:notify', payload }))).toEqual([]);
    }
  });

  it('clears', () => {
    const { dialect } = opened();
    expect(dialect.clear()).toEqual(['{"action":"clear"}']);
    expect(dialect.receive('{"event":"websocket:cleared"}')).toEqual([{ type: 'cleared' }]);
  });

  it.each([
    [{ digit: '5', duration: 260 }, '5'],
    [{ dtmf: { digit: '#' } }, '#'],
    [{ dtmf: 'd' }, 'D'],
  ])('hears the key in %j', (fields, digit) => {
    const message = JSON.stringify({ event: 'websocket:dtmf', ...fields });
    expect(opened().dialect.receive(message)).toEqual([{ type: 'dtmf', digit }]);
  });

  it.each([
    '{',
    '[]',
    '{}',
    '{"event":"websocket:connected"}',
    '{"event":"websocket:connected","content-type":"audio/l16;rate=44100"}',
    '{"event":"websocket:connected","content-type":"audio/opus"}',
    '{"event":"websocket:dtmf","digit":"12"}',
    '{"event":"websocket:dtmf"}',
    Uint8Array.of(1, 2),
  ])('refuses %j as first message', (message) => {
    expect(() => vonage.open(REQUEST).receive(message)).toThrow(
      expect.objectContaining({ code: 'invalid_input_message' }),
    );
  });

  it('refuses half a sample, and passes over what it does not know', () => {
    const { dialect } = opened();
    expect(() => dialect.receive(new Uint8Array(641))).toThrow(/inside a sample/);
    expect(dialect.receive('{"event":"websocket:mood"}')).toEqual([]);
    expect(dialect.receive(new Uint8Array(640))).toEqual([
      { type: 'caller-audio', audio: new Uint8Array(640) },
    ]);
  });
});
