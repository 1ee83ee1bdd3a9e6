import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import {
  base64,
  effects,
  findings,
  mulawTone,
  read,
  STARTS_AT_MS,
  side,
  uuid,
} from '../phone-harness.ts';

const EXTRA = 'from=+12025550123;to=+12025550199;lang=en;api_key=sk_1';

describe("Plivo's side", () => {
  it('begins with start, numbers as numbers, and extra headers as one text', () => {
    const it = side('plivo', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(read(it.greet())).toEqual([
      {
        event: 'start',
        sequenceNumber: 1,
        start: {
          callId: uuid(2),
          streamId: uuid(1),
          accountId: 'MADESKPHONE000000000',
          tracks: ['inbound'],
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 },
        },
        extra_headers: EXTRA,
      },
    ]);
  });

  it('counts timestamps from 1970, and has no word for the end', () => {
    const it = side('plivo', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    const frame = mulawTone(160);
    expect(read([...it.callerAudio(frame, 20), ...it.key('1', 30), ...it.hangUp(40)])).toEqual([
      {
        event: 'media',
        sequenceNumber: 1,
        streamId: uuid(1),
        media: {
          track: 'inbound',
          timestamp: String(STARTS_AT_MS + 20),
          chunk: 1,
          payload: base64(frame),
        },
        extra_headers: EXTRA,
      },
      {
        event: 'dtmf',
        sequenceNumber: 2,
        streamId: uuid(1),
        dtmf: { track: 'inbound', digit: '1', timestamp: String(STARTS_AT_MS + 30) },
        extra_headers: EXTRA,
      },
    ]);
  });

  it('answers a checkpoint with playedStream and a clear with clearedAudio', () => {
    const it = side('plivo');
    expect(
      read([
        ...it.tell({ type: 'mark', name: 'c', isCleared: false, atMs: 1 }),
        ...it.tell({ type: 'cleared', atMs: 1 }),
      ]),
    ).toEqual([
      { event: 'playedStream', sequenceNumber: 1, streamId: uuid(1), name: 'c' },
      { event: 'clearedAudio', sequenceNumber: 2, streamId: uuid(1) },
    ]);
    expect(it.playout.clearedMarks).toBe('forgotten');
  });

  it('takes playAudio in the format of the stream, and finds any other', () => {
    const it = side('plivo', { format: parseOutputFormat('pcm_16000') });
    const play = (media: object) =>
      it.receive(
        JSON.stringify({
          event: 'playAudio',
          media: { payload: base64(mulawTone(640)), ...media },
        }),
        0,
        0,
      );
    expect(findings(play({ contentType: 'audio/x-l16', sampleRate: 16_000 }))).toEqual([]);
    expect(findings(play({ contentType: 'audio/x-l16;rate=16000', sampleRate: '16000' }))).toEqual(
      [],
    );
    const wrong = play({ contentType: 'audio/x-mulaw', sampleRate: 8000 });
    expect(findings(wrong).join()).toContain('contentType audio/x-l16 and sampleRate 16000');
    expect(effects(wrong)).toHaveLength(1);
  });

  it('takes checkpoints and clears of its stream', () => {
    const it = side('plivo');
    const say = (message: object) => it.receive(JSON.stringify(message), 0, 0);
    const streamId = uuid(1);
    expect(say({ event: 'checkpoint', streamId, name: 'c' })).toEqual([
      { type: 'mark', name: 'c' },
    ]);
    expect(say({ event: 'clearAudio', streamId })).toEqual([{ type: 'clear' }]);
    expect(say({ event: 'sendDTMF', dtmf: '1' })).toEqual([]);
    expect(findings(say({ event: 'clearAudio' })).join()).toContain('streamId');
    expect(findings(say({ event: 'media' })).join()).toContain('"media"');
  });
});
