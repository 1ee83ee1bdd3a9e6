import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../../src/tools/desk-phone/call-report.ts';
import { DeskCall } from '../../../../src/tools/desk-phone/desk-call.ts';
import { base64, mulawTone, read, side, uuid } from './phone-harness.ts';

const STREAM = `MZ${uuid(1).replaceAll('-', '')}`;

/** A call from Twilio that began at 5000 of the clock, and a server that speaks to it. */
function twilioCall() {
  const call = new DeskCall('twilio', side('twilio'), 5000);
  call.greet();
  const server = {
    say: (ms: number, nowMs: number) =>
      message({ event: 'media', media: { payload: base64(mulawTone(8 * ms)) } }, nowMs),
    mark: (name: string, nowMs: number) => message({ event: 'mark', mark: { name } }, nowMs),
    clear: (nowMs: number) => message({ event: 'clear' }, nowMs),
  };
  const message = (body: object, nowMs: number) =>
    call.receive(JSON.stringify({ streamSid: STREAM, ...body }), nowMs);
  return { call, server };
}

function marksIn(messages: readonly (string | Uint8Array)[]): unknown[] {
  return (read(messages) as { mark?: { name: string } }[]).map(({ mark }) => mark?.name);
}

describe('DeskCall', () => {
  it('echoes a mark once the audio before it has been played', () => {
    const { call, server } = twilioCall();
    server.say(100, 5010);
    expect(server.mark('m', 5020)).toEqual([]);
    expect(call.nextTickMs).toBe(5110);
    expect(call.tick(5109)).toEqual([]);
    expect(marksIn(call.tick(5110))).toEqual(['m']);
    expect(call.log(6000).marks).toEqual([{ askedAtMs: 20, answeredAtMs: 110, isCleared: false }]);
  });

  it('echoes every mark at once when it is cleared, and says so in the log', () => {
    const { call, server } = twilioCall();
    server.say(1000, 5000);
    server.mark('same', 5000);
    server.say(1000, 5000);
    server.mark('same', 5000);
    expect(marksIn(server.clear(5105))).toEqual(['same', 'same']);
    const log = call.log(6000);
    expect(log.marks.map(({ isCleared }) => isCleared)).toEqual([true, true]);
    expect(log.clears).toEqual([{ atMs: 105, silentAtMs: 120, droppedMs: 1880 }]);
  });

  it('tells silence from the caller’s barge-in to the ear', () => {
    const { call, server } = twilioCall();
    server.say(2000, 5000);
    call.press('1', 6000);
    server.clear(6013);
    server.say(500, 6300);
    call.tick(9000);
    call.ended({ by: 'caller', reason: 'x' }, 9000);
    expect(reportOf(call.log(9999))).toMatchObject({
      durationMs: 4000,
      clears: [{ atMs: 1013, silentAfterMs: 7, droppedMs: 980 }],
      moments: [{ type: 'key', label: '1', atMs: 1000, silentAfterMs: 20, answeredAfterMs: 300 }],
    });
  });

  it('finds audio before the greeting, and counts what it finds again', () => {
    const call = new DeskCall('vonage', side('vonage'), 0);
    call.receive(new Uint8Array(640).fill(1), 1);
    call.greet();
    call.receive(new Uint8Array(320).fill(1), 2);
    call.receive(new Uint8Array(320).fill(1), 3);
    expect(call.log(10).findings).toEqual([
      { text: 'Audio was sent before the start of the stream.', firstAtMs: 1, count: 1 },
      { text: expect.stringContaining('exactly 20 ms'), firstAtMs: 2, count: 2 },
    ]);
  });

  it('drops and finds what AudioSocket is sent too early', () => {
    const call = new DeskCall('audiosocket', side('audiosocket'), 0);
    call.greet();
    const packet = Buffer.concat([Buffer.from([0x10, 0x01, 0x40]), Buffer.alloc(320, 1)]);
    for (let index = 0; index < 12; index++) call.receive(packet, 0);
    call.tick(1000);
    const log = call.log(1000);
    expect(log.droppedMs).toBe(40);
    expect(log.findings).toMatchObject([
      { count: 2, text: expect.stringContaining('200 ms ahead') },
    ]);
    expect(log.runs).toMatchObject([{ startMs: 40, endMs: 240 }]);
  });

  it('asks an Asterisk server for pauses and takes what it sent before', () => {
    const call = new DeskCall('asterisk', side('asterisk'), 0);
    call.greet();
    const second = mulawTone(8000);
    const replies = Array.from({ length: 18 }, () => call.receive(second, 0));
    expect(replies.slice(0, 17).flat()).toEqual([]);
    expect(read(replies[17] ?? [])).toMatchObject([{ event: 'MEDIA_XOFF' }]);
    for (let index = 0; index < 4; index++) call.receive(second, 20);
    const log = call.log(20);
    expect(log.findings.map(({ count }) => count)).toEqual([4, 1]);
    expect(log.droppedMs).toBe(1000);
    expect(call.tick(5000)).toEqual([]);
    expect(read(call.tick(5001))).toMatchObject([{ event: 'MEDIA_XON' }]);
  });

  it('tells Asterisk that the queue is drained, when it is and when it becomes so', () => {
    const call = new DeskCall('asterisk', side('asterisk'), 0);
    call.greet();
    const ask = (nowMs: number) =>
      call.receive(JSON.stringify({ command: 'REPORT_QUEUE_DRAINED' }), nowMs);
    expect(read(ask(0))).toMatchObject([{ event: 'QUEUE_DRAINED' }]);
    call.receive(mulawTone(1600), 0);
    expect(ask(1)).toEqual([]);
    call.receive(JSON.stringify({ command: 'FLUSH_MEDIA' }), 50);
    expect(read(call.tick(60))).toMatchObject([{ event: 'QUEUE_DRAINED' }]);
  });

  it('wants to end when the server hangs up', () => {
    const call = new DeskCall('audiosocket', side('audiosocket'), 0);
    call.greet();
    expect(call.wantsEnd).toBeUndefined();
    call.receive(Buffer.from([0, 0, 0]), 5);
    expect(call.wantsEnd).toBe('The server hung up.');
    call.ended({ by: 'server', reason: 'first' }, 6);
    call.ended({ by: 'caller', reason: 'second' }, 7);
    expect(call.log(99)).toMatchObject({ durationMs: 6, ending: { reason: 'first' } });
  });
});
