import { describe, expect, it } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { numberedAudio, testDialect } from '../../../support/call-carrier.ts';
import { CALLER, CallRig, testStart } from '../../../support/call-rig.ts';

const TEXT = 'one two three four five six seven eight nine ten. ';
const UNIT = Uint8Array.from({ length: 160 }, (_, index) => index);

describe('a carrier', () => {
  it('that never starts is sent away', async () => {
    const rig = new CallRig();
    const connection = rig.connect();
    connection.say({ type: 'dtmf', digit: '1' });
    await rig.clock.advance(9_900);
    expect(connection.isClosed).toBe(false);
    await rig.clock.advance(200);
    expect(connection.isClosed).toBe(true);
    expect(rig.refused).toEqual(['carrier_silent']);
    expect(rig.live.size).toBe(0);
    expect(rig.clock.timers).toBe(0);
    expect(rig.told).toEqual([]);
  });

  it.each([
    ['who pays', { admit: () => Promise.reject(new SpeechError('invalid_api_key', 'No.')) }, {}],
    [
      'the voice',
      {},
      { findVoice: () => Promise.reject(new SpeechError('invalid_api_key', 'No such voice.')) },
    ],
  ])('is refused with what is wrong with %s', async (_, parts, options) => {
    const rig = new CallRig(options);
    const connection = rig.connect(parts);
    connection.say({ type: 'start', start: testStart() });
    await rig.clock.settle();
    expect(connection.sent).toEqual(['hangup']);
    expect(connection.isClosed).toBe(true);
    expect(rig.refused).toEqual(['invalid_api_key']);
    expect(rig.live.size).toBe(0);
    expect(rig.clock.timers).toBe(0);
  });

  it('is answered at once, and what it says while it is admitted is kept in order', async () => {
    const rig = new CallRig();
    let admit = (): void => undefined;
    const admitted = new Promise<{ caller: typeof CALLER }>((resolve) => {
      admit = () => resolve({ caller: CALLER });
    });
    const connection = rig.connect({ admit: () => admitted });
    connection.say({ type: 'start', start: testStart() });
    connection.say({ type: 'reply', messages: ['pong'] });
    expect(connection.sent).toEqual(['pong']);
    for (const digit of '123') connection.say({ type: 'dtmf', digit });
    for (let count = 0; count < 600; count++) connection.say(UNIT);
    admit();
    await rig.clock.settle();
    const [record] = rig.calls.callRegistry.waiting('account');
    const events: string[] = [];
    rig.calls.callRegistry.attach('account', record?.callId ?? '', {
      tell: (event) => events.push(event.type === 'dtmf' ? event.digit : event.type),
    });
    await rig.clock.settle();
    expect(events).toEqual(['call-start', '1', '2', '3']);
  });

  it('that hangs up while it is admitted never becomes a call', async () => {
    const rig = new CallRig();
    let admit = (): void => undefined;
    const admitted = new Promise<{ caller: typeof CALLER }>((resolve) => {
      admit = () => resolve({ caller: CALLER });
    });
    const connection = rig.connect({ admit: () => admitted });
    connection.say({ type: 'start', start: testStart() });
    connection.say({ type: 'stop' });
    connection.stream?.closed();
    admit();
    await rig.clock.settle();
    expect(rig.refused).toEqual([undefined]);
    expect(rig.calls.count).toBe(0);
    expect(rig.live.size).toBe(0);
  });

  it('may say a few things that nobody understands, but not before the start, nor forever', async () => {
    const rig = new CallRig();
    const early = rig.connect();
    early.stream?.receive('{');
    expect(early.isClosed).toBe(true);
    expect(rig.refused).toEqual(['invalid_input_message']);
    const call = await rig.call();
    for (let count = 0; count < 99; count++) call.connection.stream?.receive(new Uint8Array(0));
    expect(call.connection.isClosed).toBe(false);
    call.connection.stream?.receive('{');
    expect(call.connection.isClosed).toBe(true);
    await rig.clock.settle();
    expect(rig.ended).toMatchObject([{ reason: 'error', code: 'invalid_input_message' }]);
    expect(rig.logged.filter((line) => line.includes('refused'))).toHaveLength(2);
  });

  it('that stops reading is cut off', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT.repeat(10));
    await rig.clock.advance(1000);
    call.connection.unsentBytes = 100_000;
    await rig.clock.advance(1000);
    expect(call.connection.isClosed).toBe(false);
    call.connection.unsentBytes = 161_000;
    await rig.clock.advance(1000);
    expect(call.connection.isClosed).toBe(true);
    expect(rig.ended).toMatchObject([{ reason: 'error', code: 'client_too_slow' }]);
    expect(rig.clock.timers).toBe(0);
  });

  it('may stop the flow, and loses nothing by it', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT);
    call.mark('said');
    await rig.clock.advance(500);
    call.connection.say({ type: 'flow', isOpen: false });
    const sent = call.connection.messageBytes.length;
    await rig.clock.advance(5000);
    expect(call.connection.messageBytes).toHaveLength(sent);
    expect(call.marks).toEqual([]);
    call.connection.say({ type: 'flow', isOpen: true });
    expect(call.connection.aheadMs).toBeLessThanOrEqual(400);
    await rig.clock.advance(5000);
    expect(call.connection.mostAheadMs).toBeLessThanOrEqual(400);
    expect(call.marks).toEqual(['said']);
    const soundMs = (TEXT.length - 1) * ((1024 * 1000) / 22_050);
    expect(call.connection.heard.length / 8).toBeGreaterThanOrEqual(100 + soundMs - 1);
    expect(call.connection.heard.length / 8).toBeLessThan(100 + soundMs + 40);
  });

  it.each([
    ['10 units a message', { unitsPerMessage: 10, maxUnitsPerMessage: 10, leadMs: 400 }],
    ['one unit a message', { unitsPerMessage: 1, maxUnitsPerMessage: 1, leadMs: 400 }],
    ['no more than two units ahead', { unitsPerMessage: 1, maxUnitsPerMessage: 50, leadMs: 40 }],
    ['up to a second a message', { unitsPerMessage: 10, maxUnitsPerMessage: 50, leadMs: 500 }],
  ])('gets %s, in time', async (_, carrier) => {
    const rig = new CallRig();
    const call = await rig.call({ carrier });
    call.say(TEXT.repeat(3));
    await rig.clock.advance(10_000);
    const { messageBytes, stretches, mostAheadMs, heard } = call.connection;
    for (const bytes of messageBytes) {
      expect(bytes % (160 * carrier.unitsPerMessage)).toBe(0);
      expect(bytes).toBeLessThanOrEqual(160 * carrier.maxUnitsPerMessage);
    }
    expect(stretches).toHaveLength(1);
    expect(mostAheadMs).toBeLessThanOrEqual(carrier.leadMs);
    expect(heard.at(-1)).toBe(0xff);
  });

  it('hears on after the process was held up', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT.repeat(3));
    await rig.clock.advance(1000);
    rig.clock.stall(250);
    await rig.clock.advance(10_000);
    expect(call.connection.stretches).toHaveLength(1);
    expect(call.connection.mostAheadMs).toBeLessThanOrEqual(400);
  });
});

describe('what the caller says', () => {
  it('reaches the bot in order and once, in the format that it asked for', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.connection.say(UNIT);
    call.command({ type: 'listen', format: parseOutputFormat('ulaw_8000') });
    for (const sequence of [0, 2, 1, 1, 3, 0, 5, 4]) {
      call.connection.stream?.receive(numberedAudio(sequence, [sequence]));
    }
    await rig.clock.settle();
    const heard = call.told('caller-audio').map(({ audio }) => [...audio]);
    expect(heard).toEqual([[0], [1], [2], [3], [4], [5]]);
    call.command({ type: 'listen', format: parseOutputFormat('pcm_16000') });
    for (let count = 0; count < 10; count++) call.connection.say(UNIT);
    await rig.clock.settle();
    const bytes = call
      .told('caller-audio')
      .slice(6)
      .reduce((sum, { audio }) => sum + audio.length, 0);
    expect(bytes).toBeGreaterThan(10 * 640 - 200);
    expect(bytes).toBeLessThanOrEqual(10 * 640);
    call.command({ type: 'listen', format: undefined });
    const told = call.events.length;
    call.connection.say(UNIT);
    await rig.clock.settle();
    expect(call.events).toHaveLength(told);
    expect(
      call.refusalOf({ type: 'listen', format: parseOutputFormat('mp3_44100_128') })?.code,
    ).toBe('invalid_output_format');
  });

  it('on one call never reaches another, nor does what is said there', async () => {
    const rig = new CallRig();
    const [first, second] = [await rig.call(), await rig.call({ dialect: testDialect() })];
    for (const call of [first, second]) {
      call.command({ type: 'listen', format: parseOutputFormat('ulaw_8000') });
    }
    first.connection.say(new Uint8Array(160).fill(1));
    second.connection.say(new Uint8Array(160).fill(2));
    first.command({ type: 'audio', audio: new Uint8Array(1600).fill(3) });
    second.command({ type: 'audio', audio: new Uint8Array(1600).fill(4) });
    first.mark('here');
    await rig.clock.advance(1000);
    expect(first.told('caller-audio').flatMap(({ audio }) => [...new Set(audio)])).toEqual([1]);
    expect(second.told('caller-audio').flatMap(({ audio }) => [...new Set(audio)])).toEqual([2]);
    expect(new Set(first.connection.heard)).toEqual(new Set([0xff, 3]));
    expect(new Set(second.connection.heard)).toEqual(new Set([0xff, 4]));
    expect([first.marks, second.marks]).toEqual([['here'], []]);
  });
});
