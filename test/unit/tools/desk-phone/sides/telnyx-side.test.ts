import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import { base64, effects, findings, mulawTone, read, side, uuid } from '../phone-harness.ts';

describe("Telnyx's side", () => {
  it('greets in snake case, with the numbers of the call', () => {
    const it = side('telnyx', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(read(it.greet())).toEqual([
      { event: 'connected', version: '1.0.0' },
      {
        event: 'start',
        sequence_number: '1',
        start: {
          user_id: uuid(2),
          call_control_id: `v3:${uuid(3).replaceAll('-', '')}`,
          call_session_id: uuid(4),
          from: '+12025550123',
          to: '+12025550199',
          tags: [],
          client_state: '',
          custom_parameters: { lang: 'en', api_key: 'sk_1' },
          media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
        },
        stream_id: uuid(1),
      },
    ]);
  });

  it.each([
    ['alaw_8000', 'PCMA', 8000],
    ['pcm_16000', 'L16', 16_000],
  ])('calls %s %s', (name, encoding, sample_rate) => {
    const it = side('telnyx', { format: parseOutputFormat(name) });
    const [, start] = read(it.greet()) as [unknown, { start: { media_format: object } }];
    expect(start.start.media_format).toEqual({ encoding, sample_rate, channels: 1 });
  });

  it('sends media, keys, echoes of marks and stop', () => {
    const it = side('telnyx');
    const stream_id = uuid(1);
    const frame = mulawTone(160);
    const messages = [
      ...it.callerAudio(frame, 20),
      ...it.key('#', 1500),
      ...it.tell({ type: 'mark', name: 'm', isCleared: false, atMs: 1 }),
      ...it.hangUp(60),
    ];
    expect(read(messages)).toEqual([
      {
        event: 'media',
        sequence_number: '1',
        media: { track: 'inbound', chunk: '1', timestamp: '20', payload: base64(frame) },
        stream_id,
      },
      {
        event: 'dtmf',
        sequence_number: '2',
        occurred_at: '2026-11-21T12:00:01.500Z',
        dtmf: { digit: '#' },
        stream_id,
      },
      { event: 'mark', sequence_number: '3', mark: { name: 'm' }, stream_id },
      {
        event: 'stop',
        sequence_number: '4',
        stop: { user_id: uuid(2), call_control_id: `v3:${uuid(3).replaceAll('-', '')}` },
        stream_id,
      },
    ]);
  });

  it('takes chunks from 20 ms to 30 s, marks and clears', () => {
    const it = side('telnyx');
    const media = (bytes: number) =>
      it.receive(
        JSON.stringify({ event: 'media', media: { payload: base64(mulawTone(bytes)) } }),
        0,
        0,
      );
    expect(findings(media(160))).toEqual([]);
    expect(findings(media(240_000))).toEqual([]);
    expect(findings(media(159)).join()).toContain('shorter than 20 ms');
    expect(findings(media(240_001)).join()).toContain('longer than 30 s');
    expect(effects(media(159))).toHaveLength(1);
    expect(it.receive(JSON.stringify({ event: 'clear' }), 0, 0)).toEqual([{ type: 'clear' }]);
    expect(findings(it.receive(JSON.stringify({ event: 'start' }), 0, 0)).join()).toContain(
      'start',
    );
  });
});
