import { describe, expect, it } from 'vitest';
import { base64, effects, findings, read, side, uuid } from '../phone-harness.ts';

const hex = (number: number) => uuid(number).replaceAll('-', '');

describe("Exotel's side", () => {
  it('greets in snake case, every number as text, with linear PCM', () => {
    const it = side('exotel', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(read(it.greet())).toEqual([
      { event: 'connected' },
      {
        event: 'start',
        sequence_number: '1',
        stream_sid: hex(1),
        start: {
          stream_sid: hex(1),
          call_sid: hex(2),
          account_sid: 'deskphone1',
          from: '+12025550123',
          to: '+12025550199',
          custom_parameters: { lang: 'en' },
          media_format: { encoding: 'audio/x-raw', sample_rate: '8000', bit_rate: '16' },
        },
      },
    ]);
    expect(it.frameMs).toBe(100);
    expect(it.handshake).toEqual({
      headers: { authorization: `Basic ${base64(Buffer.from('sidetone:sk_1'))}` },
      query: { 'sample-rate': '8000', lang: 'en' },
    });
  });

  it('sends pieces of 100 ms, keys with a duration, and stop with a reason', () => {
    const it = side('exotel');
    const frame = new Uint8Array(1600).fill(1);
    const messages = [...it.callerAudio(frame, 100), ...it.key('9', 150), ...it.hangUp(200)];
    expect(read(messages)).toEqual([
      {
        event: 'media',
        sequence_number: '1',
        stream_sid: hex(1),
        media: { chunk: '1', timestamp: '100', payload: base64(frame) },
      },
      {
        event: 'dtmf',
        sequence_number: '2',
        stream_sid: hex(1),
        dtmf: { digit: '9', duration: '100' },
      },
      {
        event: 'stop',
        sequence_number: '3',
        stream_sid: hex(1),
        stop: { call_sid: hex(2), account_sid: 'deskphone1', reason: 'callended' },
      },
    ]);
  });

  it.each([
    [3200, []],
    [6400, []],
    [3000, ['multiple of 320', 'below 3200']],
    [3360, ['multiple of 320']],
    [320, ['below 3200']],
    [100_160, ['above 100 kB']],
  ])('of a payload of %i bytes finds %j', (bytes, texts) => {
    const payload = base64(new Uint8Array(bytes).fill(1));
    const message = { event: 'media', stream_sid: hex(1), media: { payload } };
    const events = side('exotel').receive(JSON.stringify(message), 0, 0);
    expect(findings(events)).toHaveLength(texts.length);
    for (const [index, text] of texts.entries()) expect(findings(events)[index]).toContain(text);
    expect(effects(events)).toHaveLength(1);
  });

  it('takes marks and clears, and echoes marks', () => {
    const it = side('exotel');
    const say = (message: object) =>
      it.receive(JSON.stringify({ stream_sid: hex(1), ...message }), 0, 0);
    expect(say({ event: 'mark', mark: { name: 'm' } })).toEqual([{ type: 'mark', name: 'm' }]);
    expect(say({ event: 'clear' })).toEqual([{ type: 'clear' }]);
    expect(findings(say({ event: 'clear', stream_sid: 'x' })).join()).toContain('stream_sid');
    expect(read(it.tell({ type: 'mark', name: 'm', isCleared: false, atMs: 0 }))).toEqual([
      { event: 'mark', sequence_number: '1', stream_sid: hex(1), mark: { name: 'm' } },
    ]);
  });
});
