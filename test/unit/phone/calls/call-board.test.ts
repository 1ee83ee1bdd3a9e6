import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { BotSeat } from '../../../../src/phone/calls/bot-seat.ts';
import { CallBoard, type PostedCall } from '../../../../src/phone/calls/call-board.ts';
import type { BotHold, CallEvent } from '../../../../src/phone/calls/call-messages.ts';
import { CountedToll } from '../../../../src/phone/calls/counted-toll.ts';
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

describe('CallBoard', () => {
  it('shows an account its own waiting calls, and tells it of new ones', () => {
    const board = new CallBoard();
    const told: string[] = [];
    const leave = board.watch('mine', {
      waiting: ({ callId }) => told.push(`waiting ${callId}`),
      ended: (callId) => told.push(`ended ${callId}`),
    });
    const call = posted('one');
    board.post(call);
    board.post(posted('other', 'theirs'));
    board.post(posted('built-in', 'mine', false));
    expect(board.waiting('mine').map(({ callId }) => callId)).toEqual(['one']);
    board.claimed(call.record);
    board.remove(call.record, false);
    board.remove(call.record, true);
    leave();
    leave();
    board.post(posted('two'));
    expect(told).toEqual(['waiting one', 'ended one']);
    expect(board.size).toBe(3);
  });

  it('lets an account take its own calls, and says why it may not', () => {
    const board = new CallBoard();
    const mine = posted('mine-1');
    board.post(mine);
    board.post(posted('theirs-1', 'theirs'));
    expect(board.attach('mine', 'mine-1', DEAF)).toBe(HOLD);
    expect(codeOf(() => board.attach('mine', 'theirs-1', DEAF))).toBe('not_found');
    expect(codeOf(() => board.attach('mine', 'nothing', DEAF))).toBe('not_found');
    board.remove(mine.record, true);
    expect(codeOf(() => board.attach('mine', 'mine-1', DEAF))).toBe('call_ended');
    expect(codeOf(() => board.attach('theirs', 'mine-1', DEAF))).toBe('not_found');
  });
});

describe('BotSeat', () => {
  const first: CallEvent = { type: 'caller-speech-start' };
  const key = (digit: string): CallEvent => ({ type: 'dtmf', digit });

  it('is taken once, and tells in order, never inside of a command', async () => {
    const said: unknown[] = [];
    const seat: BotSeat = new BotSeat({
      carryOut: () => seat.tell(key('2')),
      onTaken: () => said.push('taken'),
      onLost: () => said.push('lost'),
    });
    seat.tell(key('1'));
    const hold: BotHold = seat.attach(
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
    expect(codeOf(() => seat.attach(DEAF, first))).toBe('call_taken');
    await Promise.resolve();
    expect(said).toEqual(['taken', 'caller-speech-start', '1', 'after the command', '2']);
    hold.release();
    hold.release();
    seat.tell(key('3'));
    await Promise.resolve();
    expect(said.slice(5)).toEqual(['lost']);
    expect(codeOf(() => hold.command({ type: 'clear' }))).toBe('call_ended');
    expect(codeOf(() => seat.attach(DEAF, first))).toBe('call_ended');
  });

  it('tells the end last, and keeps no more than it must for a bot that is late', async () => {
    const seat = new BotSeat({
      carryOut: () => undefined,
      onTaken: () => undefined,
      onLost: () => undefined,
    });
    for (let count = 0; count < 100; count++) seat.tell(key('1'));
    const told: CallEvent[] = [];
    const hold = seat.attach({ tell: (event) => told.push(event) }, first);
    seat.end({ type: 'call-end', reason: 'hangup', durationMs: 1 });
    seat.end({ type: 'call-end', reason: 'error', durationMs: 2 });
    seat.tell(key('2'));
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

describe('CountedToll', () => {
  it('counts what was charged, and settles when all of it is', async () => {
    const toll = new CountedToll({
      enter: async () => ({ hear: () => undefined, end: async () => undefined }),
    });
    await toll.settled();
    const [heard, dropped] = [await toll.enter(5, 0), await toll.enter(7, 2)];
    const settled = toll.settled();
    heard.hear();
    await heard.end();
    await dropped.end();
    await settled;
    expect(toll.characters).toBe(5);
    const refusing = new CountedToll({
      enter: () => Promise.reject(new SpeechError('quota_exceeded', 'None left.')),
    });
    await expect(refusing.enter(3, 0)).rejects.toThrow('None left.');
    await refusing.settled();
    expect(refusing.characters).toBe(0);
  });
});
