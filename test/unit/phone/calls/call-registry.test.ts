import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { BotSlot } from '../../../../src/phone/calls/bot-slot.ts';
import type { BotHold, CallEvent } from '../../../../src/phone/calls/call-messages.ts';
import { CallRegistry, type PostedCall } from '../../../../src/phone/calls/call-registry.ts';
import { CountingMeter } from '../../../../src/phone/calls/counting-meter.ts';
import { Transfers } from '../../../../src/phone/calls/transfers.ts';
import { testStart } from '../../../support/call-rig.ts';

const HOLD: BotHold = { command: () => undefined, release: () => undefined };
const DEAF = { tell: () => undefined };

function posted(callId: string, accountId = 'mine', isWaiting = true): PostedCall {
  return {
    record: {
      ...{ callId, accountId },
      lineId: 'line',
      carrier: 'twilio',
      startedAtMs: 0,
      start: testStart(),
    },
    isWaiting,
    attach: () => HOLD,
  };
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (thrown) {
    return (thrown as SpeechError).code;
  }
}

describe('CallRegistry', () => {
  it('shows an account its own waiting calls, and tells it of new ones', () => {
    const callRegistry = new CallRegistry();
    const told: string[] = [];
    const leave = callRegistry.watch('mine', {
      waiting: ({ callId }) => told.push(`waiting ${callId}`),
      ended: (callId) => told.push(`ended ${callId}`),
    });
    const call = posted('one');
    callRegistry.post(call);
    callRegistry.post(posted('other', 'theirs'));
    callRegistry.post(posted('built-in', 'mine', false));
    expect(callRegistry.waiting('mine').map(({ callId }) => callId)).toEqual(['one']);
    callRegistry.claimed(call.record);
    callRegistry.remove(call.record, false);
    callRegistry.remove(call.record, true);
    leave();
    leave();
    callRegistry.post(posted('two'));
    expect(told).toEqual(['waiting one', 'ended one']);
    expect(callRegistry.size).toBe(3);
  });

  it('lets an account take its own calls, and says why it may not', () => {
    const callRegistry = new CallRegistry();
    const mine = posted('mine-1');
    callRegistry.post(mine);
    callRegistry.post(posted('theirs-1', 'theirs'));
    expect(callRegistry.attach('mine', 'mine-1', DEAF)).toBe(HOLD);
    expect(codeOf(() => callRegistry.attach('mine', 'theirs-1', DEAF))).toBe('not_found');
    expect(codeOf(() => callRegistry.attach('mine', 'nothing', DEAF))).toBe('not_found');
    callRegistry.remove(mine.record, true);
    expect(codeOf(() => callRegistry.attach('mine', 'mine-1', DEAF))).toBe('call_ended');
    expect(codeOf(() => callRegistry.attach('theirs', 'mine-1', DEAF))).toBe('not_found');
  });
});

describe('BotSlot', () => {
  const first: CallEvent = { type: 'caller-speech-start' };
  const key = (digit: string): CallEvent => ({ type: 'dtmf', digit });

  it('is taken once, and tells in order, never inside of a command', async () => {
    const said: unknown[] = [];
    const slot: BotSlot = new BotSlot({
      carryOut: () => slot.tell(key('2')),
      onTaken: () => said.push('taken'),
      onLost: () => said.push('lost'),
    });
    slot.tell(key('1'));
    const hold: BotHold = slot.attach(
      {
        tell: (event) => {
          said.push(event.type === 'dtmf' ? event.digit : event.type);
          if (event.type === 'dtmf' && event.digit === '1') {
            hold.command({ type: 'clear' });
            said.push('after the command');
          }
        },
      },
      first,
    );
    expect(said).toEqual(['taken']);
    expect(codeOf(() => slot.attach(DEAF, first))).toBe('call_taken');
    await Promise.resolve();
    expect(said).toEqual(['taken', 'caller-speech-start', '1', 'after the command', '2']);
    hold.release();
    hold.release();
    slot.tell(key('3'));
    await Promise.resolve();
    expect(said.slice(5)).toEqual(['lost']);
    expect(codeOf(() => hold.command({ type: 'clear' }))).toBe('call_ended');
    expect(codeOf(() => slot.attach(DEAF, first))).toBe('call_ended');
  });

  it('tells the end last, and keeps no more than it must for a bot that is late', async () => {
    const slot = new BotSlot({
      carryOut: () => undefined,
      onTaken: () => undefined,
      onLost: () => undefined,
    });
    for (let count = 0; count < 100; count++) slot.tell(key('1'));
    const told: CallEvent[] = [];
    const hold = slot.attach({ tell: (event) => told.push(event) }, first);
    slot.end({ type: 'call-end', reason: 'hangup', durationMs: 1 });
    slot.end({ type: 'call-end', reason: 'error', durationMs: 2 });
    slot.tell(key('2'));
    await Promise.resolve();
    expect(told).toHaveLength(66);
    expect(told.at(-1)).toMatchObject({ reason: 'hangup' });
    expect(codeOf(() => hold.command({ type: 'clear' }))).toBe('call_ended');
  });
});

describe('Transfers', () => {
  const blue = {
    accountId: 'blue',
    lineId: 'line',
    carrierCallId: 'call',
    followUpToken: 'blue-token',
  };
  const red = { ...blue, accountId: 'red', followUpToken: 'red-token' };
  const asked = ({ accountId, lineId, carrierCallId }: typeof blue) => ({
    ...{ accountId, lineId, carrierCallId },
  });

  it('are kept for some minutes, and told once', () => {
    let now = 0;
    const transfers = new Transfers(() => now);
    transfers.remember(blue, '+1');
    transfers.remember(blue, '+2');
    now = 299_000;
    expect(transfers.take({ ...asked(blue), lineId: 'line2' })).toBeUndefined();
    expect(transfers.take(asked(blue))).toBe('+2');
    expect(transfers.take(asked(blue))).toBeUndefined();
    expect(transfers.take({ lineId: 'line', followUpToken: 'blue-token' })).toBeUndefined();
    transfers.remember(blue, '+3');
    now += 301_000;
    expect(transfers.take(asked(blue))).toBeUndefined();
  });

  it('are of one account each, though carriers may give calls of two the same id', () => {
    const transfers = new Transfers(() => 0);
    transfers.remember(blue, '+1');
    expect(transfers.take(asked(red))).toBeUndefined();
    transfers.remember(red, '+2');
    expect(transfers.take(asked(blue))).toBe('+1');
    expect(transfers.take(asked(red))).toBe('+2');
  });

  it('are found by the token of their document, on their line', () => {
    const transfers = new Transfers(() => 0);
    transfers.remember({ ...blue, carrierCallId: undefined }, '+1');
    transfers.remember({ ...red, carrierCallId: undefined }, '+2');
    expect(transfers.take({ lineId: 'line2', followUpToken: 'red-token' })).toBeUndefined();
    expect(transfers.take({ lineId: 'line', followUpToken: 'red-token' })).toBe('+2');
    expect(transfers.take({ lineId: 'line', followUpToken: 'blue-token' })).toBe('+1');
  });

  it('of one account do not push out those of another', () => {
    const transfers = new Transfers(() => 0);
    transfers.remember(red, '+2');
    for (let index = 0; index < 1500; index++) {
      transfers.remember({ ...blue, carrierCallId: `${index}` }, '+1');
    }
    expect(transfers.take({ ...asked(blue), carrierCallId: '0' })).toBeUndefined();
    expect(transfers.take({ ...asked(blue), carrierCallId: '1499' })).toBe('+1');
    expect(transfers.take(asked(red))).toBe('+2');
  });
});

describe('CountingMeter', () => {
  it('counts what was charged, and settles when all of it is', async () => {
    const meter = new CountingMeter({
      enter: async () => ({ hear: () => undefined, end: async () => undefined }),
    });
    await meter.settled();
    const cost = (characters: number) => ({ characters, surplus: 0, voiceId: 'ada' });
    const [heard, dropped] = [await meter.enter(cost(5)), await meter.enter(cost(7))];
    const settled = meter.settled();
    heard.hear();
    await heard.end();
    await dropped.end();
    await settled;
    expect(meter.characters).toBe(5);
    const refusing = new CountingMeter({
      enter: () => Promise.reject(new SpeechError('quota_exceeded', 'None left.')),
    });
    await expect(refusing.enter(cost(3))).rejects.toThrow('None left.');
    await refusing.settled();
    expect(refusing.characters).toBe(0);
  });
});
