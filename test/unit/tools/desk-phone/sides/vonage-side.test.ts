import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../../src/domain/audio.ts';
import { effects, findings, read, side, uuid } from '../phone-harness.ts';

describe("Vonage's side", () => {
  it('says the content type and the headers of the NCCO in its first message', () => {
    const it = side('vonage', { parameters: { lang: 'en' }, apiKey: 'sk_1' });
    expect(read(it.greet())).toEqual([
      {
        event: 'websocket:connected',
        'content-type': 'audio/l16;rate=16000',
        call_uuid: uuid(1),
        from: '+12025550123',
        to: '+12025550199',
        lang: 'en',
        api_key: 'sk_1',
      },
    ]);
  });

  it('sends the caller as binary, and keys in JSON', () => {
    const it = side('vonage', { format: parseOutputFormat('pcm_8000') });
    const frame = new Uint8Array(320);
    expect(it.callerAudio(frame, 20)).toEqual([frame]);
    expect(read(it.key('*', 0))).toEqual([{ event: 'websocket:dtmf', digit: '*', duration: 260 }]);
    expect(it.hangUp(0)).toEqual([]);
  });

  it('wants messages of exactly 20 ms', () => {
    const it = side('vonage');
    expect(findings(it.receive(new Uint8Array(640).fill(1), 0, 0))).toEqual([]);
    for (const bytes of [320, 1280, 641]) {
      const events = it.receive(new Uint8Array(bytes).fill(1), 0, 0);
      expect(findings(events)[0]).toContain('exactly 20 ms, which are 640 bytes');
      expect(effects(events)).toHaveLength(1);
    }
  });

  it('brings the payload of a notify back as it was, and acknowledges a clear', () => {
    const it = side('vonage');
    const payload = { mark: 'm', deep: [1] };
    const [mark] = it.receive(JSON.stringify({ action: 'notify', payload }), 0, 0);
    if (mark?.type !== 'mark') throw new Error('No mark came.');
    expect(read(it.tell({ ...mark, isCleared: false, atMs: 0 }))).toEqual([
      { event: 'websocket:notify', payload },
    ]);
    expect(it.receive(JSON.stringify({ action: 'clear' }), 0, 0)).toEqual([{ type: 'clear' }]);
    expect(read(it.tell({ type: 'cleared', atMs: 0 }))).toEqual([{ event: 'websocket:cleared' }]);
    expect(findings(it.receive(JSON.stringify({ action: 'dance' }), 0, 0)).join()).toContain(
      'dance',
    );
  });

  it('buffers 3072 messages', () => {
    expect(side('vonage').playout.capacityMs).toBe(61_440);
  });
});
