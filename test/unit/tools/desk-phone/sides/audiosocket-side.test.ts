import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import { findings, side } from '../phone-harness.ts';

const CALL_ID = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';

describe("AudioSocket's side", () => {
  it('begins with the id of the call in 16 bytes', () => {
    expect(side('audiosocket', { callId: CALL_ID }).greet()).toEqual([
      Buffer.from('0100100f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex'),
    ]);
  });

  it('sends audio, keys and a hang-up as packets, lengths in network order', () => {
    const it = side('audiosocket');
    const frame = new Uint8Array(320).fill(7);
    expect(it.callerAudio(frame, 0)).toEqual([
      Buffer.concat([Buffer.from([0x10, 0x01, 0x40]), frame]),
    ]);
    expect(it.key('#', 0)).toEqual([Buffer.from([0x03, 0x00, 0x01, 0x23])]);
    expect(it.hangUp(0)).toEqual([Buffer.from([0x00, 0x00, 0x00])]);
  });

  it.each([
    ['pcm_8000', 0x10],
    ['pcm_16000', 0x12],
    ['pcm_24000', 0x13],
    ['pcm_48000', 0x16],
  ])('sends %s as %i, and plays nothing else', (name, kind) => {
    const it = side('audiosocket', { format: parseOutputFormat(name) });
    expect(it.callerAudio(new Uint8Array(2), 0)[0]).toEqual(Buffer.from([kind, 0, 2, 0, 0]));
    expect(it.receive(Buffer.from([kind, 0, 2, 5, 6]), 0, 0)).toEqual([
      { type: 'audio', audio: Buffer.from([5, 6]) },
    ]);
  });

  it.each([
    ['another rate', [0x12, 0, 2, 0, 0], '0x12'],
    ['an id', [0x01, 0, 2, 0, 0], '0x01'],
    ['no audio', [0x10, 0, 0], 'none in it'],
  ])('hangs up on %s, as Asterisk does', (_case, bytes, text) => {
    const events = side('audiosocket').receive(Buffer.from(bytes), 0, 0);
    expect(findings(events).join()).toContain(text);
    expect(events.at(-1)).toMatchObject({ type: 'hang-up' });
  });

  it('finds half a sample', () => {
    const events = side('audiosocket').receive(Buffer.from([0x10, 0, 3, 1, 1, 1]), 0, 0);
    expect(findings(events).join()).toContain('odd byte count');
  });

  it('hangs up when it is told to', () => {
    expect(side('audiosocket').receive(Buffer.from([0, 0, 0]), 0, 0)).toEqual([
      { type: 'hang-up', reason: 'The server hung up.' },
    ]);
  });

  it('buffers no more than a telephone does', () => {
    expect(side('audiosocket').playout).toMatchObject({ prefillMs: 40, capacityMs: 200 });
  });
});
