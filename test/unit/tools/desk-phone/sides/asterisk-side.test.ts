import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import type { CarrierSide } from '../../../../../src/tools/desk-phone/carrier-side.ts';
import { effects, findings, mulawTone, read, STARTS_AT_MS, side, uuid } from '../phone-harness.ts';

const CHANNEL = `deskphone-${STARTS_AT_MS / 1000}.1`;

function command(it: CarrierSide, name: string, id?: string) {
  const correlation = id === undefined ? {} : { correlation_id: id };
  return it.receive(JSON.stringify({ command: name, ...correlation }), 0, 0);
}

describe("Asterisk's side, with JSON", () => {
  it('begins with MEDIA_START; user, password and variables come with the request', () => {
    const it = side('asterisk', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(read(it.greet())).toEqual([
      {
        event: 'MEDIA_START',
        connection_id: uuid(1),
        channel: 'WebSocket/deskphone/0x7f2a54000c80',
        channel_id: CHANNEL,
        format: 'ulaw',
        optimal_frame_size: 160,
        ptime: 20,
        channel_variables: { MEDIA_WEBSOCKET_OPTIMAL_FRAME_SIZE: '160', lang: 'en' },
      },
    ]);
    expect(it.handshake.query).toEqual({ from: '+12025550123', to: '+12025550199', lang: 'en' });
    expect(it.handshake.headers['authorization']).toMatch(/^Basic /);
  });

  it.each([
    ['pcm_8000', 'slin', 320],
    ['pcm_16000', 'slin16', 640],
    ['pcm_48000', 'slin48', 1920],
    ['alaw_8000', 'alaw', 160],
  ])('calls %s %s', (name, format, optimal_frame_size) => {
    const it = side('asterisk', { format: parseOutputFormat(name) });
    expect(read(it.greet())).toMatchObject([{ format, optimal_frame_size }]);
  });

  it('drops what fills no frame outside buffering', () => {
    const it = side('asterisk');
    const audio = mulawTone(350);
    const events = it.receive(audio, 0, 0);
    expect(effects(events)).toEqual([{ type: 'audio', audio: audio.subarray(0, 320) }]);
    expect(findings(events).join()).toContain('not a multiple of 160 bytes');
    expect(findings(it.receive(mulawTone(320), 0, 0))).toEqual([]);
  });

  it('keeps it while buffering, fills the last frame up, and answers when that is played', () => {
    const it = side('asterisk');
    command(it, 'START_MEDIA_BUFFERING');
    const audio = mulawTone(350);
    expect(it.receive(audio.subarray(0, 170), 0, 0)).toEqual([
      { type: 'audio', audio: Buffer.from(audio.subarray(0, 160)) },
    ]);
    expect(it.receive(audio.subarray(170), 0, 0)).toEqual([
      { type: 'audio', audio: Buffer.from(audio.subarray(160, 320)) },
    ]);
    const [last, mark] = command(it, 'STOP_MEDIA_BUFFERING', 'id-1');
    const filled = new Uint8Array(160).fill(0xff);
    filled.set(audio.subarray(320));
    expect(last).toEqual({ type: 'audio', audio: filled });
    if (mark?.type !== 'mark') throw new Error('No mark came.');
    expect(read(it.tell({ ...mark, isCleared: false, atMs: 0 }))).toEqual([
      { event: 'MEDIA_BUFFERING_COMPLETED', channel_id: CHANNEL, correlation_id: 'id-1' },
    ]);
  });

  it('forgets a half frame and the marks at a flush, and tells that the queue is drained once', () => {
    const it = side('asterisk');
    command(it, 'START_MEDIA_BUFFERING');
    it.receive(mulawTone(100), 0, 0);
    expect(command(it, 'REPORT_QUEUE_DRAINED')).toEqual([{ type: 'ask-drained' }]);
    expect(command(it, 'FLUSH_MEDIA')).toEqual([
      { type: 'clear' },
      { type: 'pause', isPaused: false },
    ]);
    expect(effects(it.receive(mulawTone(160), 0, 0))).toHaveLength(1);
    const drained = { type: 'drained', atMs: 0 } as const;
    expect(read(it.tell(drained))).toEqual([{ event: 'QUEUE_DRAINED', channel_id: CHANNEL }]);
    expect(it.tell(drained)).toEqual([]);
    expect(it.playout.clearedMarks).toBe('forgotten');
  });

  it('answers marks, asks for pauses at 900 frames, and finds what is sent after that', () => {
    const it = side('asterisk');
    expect(command(it, 'MARK_MEDIA', 'm1')).toEqual([
      { type: 'mark', name: 'MEDIA_MARK_PROCESSED m1' },
    ]);
    expect(it.playout).toMatchObject({
      capacityMs: 20_000,
      flow: { offMs: 18_000, onMs: 16_000 },
    });
    expect(read(it.tell({ type: 'flow', isOpen: false, atMs: 0 }))).toEqual([
      { event: 'MEDIA_XOFF', channel_id: CHANNEL },
    ]);
    expect(findings(it.receive(mulawTone(160), 0, 18_000)).join()).toContain('after MEDIA_XOFF');
    it.tell({ type: 'flow', isOpen: true, atMs: 0 });
    expect(findings(it.receive(mulawTone(160), 0, 15_000))).toEqual([]);
  });

  it('closes on a message above 65,500 bytes, and does not read a command above 128', () => {
    const it = side('asterisk');
    expect(findings(it.receive(mulawTone(65_440), 0, 0))).toEqual([]);
    const [found, end] = it.receive(mulawTone(65_501), 0, 0);
    expect(found).toMatchObject({ type: 'finding' });
    expect(end).toMatchObject({ type: 'hang-up' });
    expect(findings(command(it, 'MARK_MEDIA', 'm'.repeat(100))).join()).toContain('128 bytes');
  });

  it('answers status, pauses, hangs up, and finds what it does not know', () => {
    const it = side('asterisk');
    const [status] = it.receive(JSON.stringify({ command: 'GET_STATUS' }), 0, 199);
    if (status?.type !== 'reply') throw new Error('No reply came.');
    expect(read(status.messages)).toMatchObject([
      { event: 'STATUS', queue_length: 10, queue_full: false, bulk_media: false },
    ]);
    expect(command(it, 'PAUSE_MEDIA')).toEqual([{ type: 'pause', isPaused: true }]);
    expect(command(it, 'CONTINUE_MEDIA')).toEqual([{ type: 'pause', isPaused: false }]);
    expect(command(it, 'HANGUP')).toMatchObject([{ type: 'hang-up' }]);
    expect(findings(command(it, 'PLAY')).join()).toContain('"PLAY"');
    expect(findings(it.receive('FLUSH_MEDIA', 0, 0)).join()).toContain('not JSON');
  });
});

describe("Asterisk's side, with plain words", () => {
  const plain = () => side('asterisk', { variant: 'plain' });

  it('has everything in one line', () => {
    expect(plain().greet()).toEqual([
      `MEDIA_START connection_id:${uuid(1)} channel:WebSocket/deskphone/0x7f2a54000c80 channel_id:${CHANNEL} format:ulaw optimal_frame_size:160 ptime:20`,
    ]);
    expect(plain().key('7', 0)).toEqual([`DTMF_END digit:7 channel_id:${CHANNEL}`]);
  });

  it('reads and answers commands', () => {
    const it = plain();
    const [mark] = it.receive('MARK_MEDIA m1', 0, 0);
    if (mark?.type !== 'mark') throw new Error('No mark came.');
    expect(it.tell({ ...mark, isCleared: false, atMs: 0 })).toEqual(['MEDIA_MARK_PROCESSED m1']);
    const [done] = it.receive('STOP_MEDIA_BUFFERING', 0, 0);
    if (done?.type !== 'mark') throw new Error('No mark came.');
    expect(it.tell({ ...done, isCleared: false, atMs: 0 })).toEqual(['MEDIA_BUFFERING_COMPLETED']);
    expect(it.tell({ type: 'flow', isOpen: false, atMs: 0 })).toEqual(['MEDIA_XOFF']);
  });

  it('is one of two', () => {
    expect(() => side('asterisk', { variant: 'xml' })).toThrow('use json or plain');
  });
});
