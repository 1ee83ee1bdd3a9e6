import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { CALLER, CallRig, type TestCall, testStart } from '../../../support/call-rig.ts';
import { textHeard } from '../../../support/call-sound.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';

const TEXT = 'one two three four. ';

/** Nothing of the call is left: no timer, no work, no place on the board or among the live. */
async function expectNothingLeft(rig: CallRig): Promise<void> {
  await rig.clock.settle();
  expect(rig.clock.timers).toBe(0);
  expect(rig.calls.count).toBe(0);
  expect(rig.live.size).toBe(0);
  expect(rig.engine.liveJobs).toBe(0);
}

function endOf(call: TestCall) {
  return call.told('call-end');
}

describe('a call ends', () => {
  it.each([
    ['the carrier stops', (call: TestCall) => call.connection.say({ type: 'stop' })],
    ['the connection is gone', (call: TestCall) => call.connection.stream?.closed()],
  ])('when %s, in the middle of a word', async (_, end) => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT.repeat(50));
    await rig.clock.advance(1000);
    end(call);
    end(call);
    expect(call.connection.isClosed).toBe(true);
    await rig.clock.settle();
    expect(endOf(call)).toEqual([{ type: 'call-end', reason: 'hangup', durationMs: 1000 }]);
    expect(call.connection.sent).not.toContain('hangup');
    expect(call.refusalOf({ type: 'clear' })?.code).toBe('call_ended');
    await expectNothingLeft(rig);
    expect(rig.told).toEqual([
      {
        type: 'call.ended',
        accountId: 'account',
        data: {
          call_id: expect.any(String),
          carrier: 'twilio',
          started_at_unix: 1_800_000_000,
          duration_ms: 1000,
          character_count: rig.ended[0]?.characters,
          end_reason: 'hangup',
        },
      },
    ]);
    expect(rig.ended[0]?.characters).toBeGreaterThan(0);
  });

  it('at once when its bot hangs up now', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.say(TEXT);
    await rig.clock.advance(300);
    call.command({ type: 'hang-up', when: 'now' });
    expect(call.connection.sent.at(-1)).toBe('hangup');
    expect(call.connection.isClosed).toBe(true);
    await expectNothingLeft(rig);
    expect(rig.ended).toMatchObject([{ reason: 'completed', code: undefined }]);
  });

  it.each([
    ['answers marks', {}],
    ['does not', { answersMarks: false }],
  ])('when all is heard, if its bot says so, where the carrier %s', async (_, carrier) => {
    const rig = new CallRig();
    const call = await rig.call({ carrier });
    call.say('one two three four');
    call.command({ type: 'hang-up', when: 'after-speech' });
    expect(call.refusalOf({ type: 'mark', name: 'late' })?.code).toBe('call_ended');
    call.command({ type: 'hang-up', when: 'after-speech' });
    await rig.clock.advance(900);
    expect(call.connection.isClosed).toBe(false);
    await rig.clock.advance(400);
    expect(call.connection.isClosed).toBe(true);
    expect(call.events.slice(-2)).toMatchObject([
      { type: 'context-end', contextId: 'turn' },
      { type: 'call-end', reason: 'completed' },
    ]);
    expect(call.connection.heard.length / 8).toBeGreaterThan(100 + 18 * 46);
    await expectNothingLeft(rig);
  });

  it('soon after the last word, even where a carrier never answers', async () => {
    const rig = new CallRig();
    const dialect = { ...silentDialect(rig) };
    const call = await rig.call({ dialect });
    call.say(TEXT);
    call.command({ type: 'hang-up', when: 'after-speech' });
    await rig.clock.advance(2000);
    expect(call.connection.isClosed).toBe(false);
    await rig.clock.advance(2000);
    expect(call.connection.isClosed).toBe(true);
    await expectNothingLeft(rig);
  });

  it('with a transfer that the carrier may ask for once, which a shutdown waits for', async () => {
    const rig = new CallRig();
    const followUpToken = 'unguessable';
    const call = await rig.call({ admit: async () => ({ caller: CALLER, followUpToken }) });
    call.say('one moment. ');
    call.command({ type: 'transfer', to: '+15551234' });
    const question = { lineId: 'support', followUpToken };
    expect(rig.calls.takeTransfer(question)).toBeUndefined();
    await rig.clock.advance(2000);
    expect(call.connection.isClosed).toBe(true);
    expect([...rig.live].map(({ busy }) => busy)).toEqual([true]);
    expect(rig.calls.takeTransfer(question)).toBe('+15551234');
    expect(rig.calls.takeTransfer(question)).toBeUndefined();
    await expectNothingLeft(rig);
  });

  it('with a transfer that nobody asks for, and a shutdown does not wait for longer', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    call.command({ type: 'transfer', to: '+15551234' });
    await rig.clock.advance(4000);
    const [followUp] = rig.live;
    expect(followUp?.busy).toBe(true);
    await rig.clock.advance(4000);
    expect(followUp?.busy).toBe(false);
    followUp?.fail(new SpeechError('shutting_down', 'The server is shutting down.'));
    await expectNothingLeft(rig);
  });

  it('not with a transfer that its line forbids, or that its carrier cannot ask about', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    expect(call.refusalOf({ type: 'transfer', to: '+19005551234' })?.code).toBe(
      'transfer_not_allowed',
    );
    const line = { transfers: undefined };
    const closed = await rig.call({ line });
    expect(closed.refusalOf({ type: 'transfer', to: '+15551234' })?.code).toBe(
      'transfer_not_allowed',
    );
    const nameless = await rig.call({ start: { ...testStart(), carrierCallId: undefined } });
    expect(nameless.refusalOf({ type: 'transfer', to: '+15551234' })?.code).toBe(
      'invalid_parameters',
    );
    expect(call.connection.isClosed).toBe(false);
  });

  it('when the key that pays for it is revoked, though nobody says a word', async () => {
    let isRevoked = false;
    const confirm = async () => {
      if (isRevoked) throw new SpeechError('invalid_api_key', 'The key was revoked.');
    };
    const rig = new CallRig({ confirm });
    const call = await rig.call();
    await rig.clock.advance(60_000);
    expect(call.connection.isClosed).toBe(false);
    isRevoked = true;
    await rig.clock.advance(20_000);
    expect(call.connection.sent.at(-1)).toBe('hangup');
    expect(rig.ended).toMatchObject([{ reason: 'error', code: 'invalid_api_key' }]);
    await expectNothingLeft(rig);
  });

  it('at once when a goodbye is cleared away, and not for a caller who interrupts it', async () => {
    const rig = new CallRig();
    const call = await rig.call({ line: { bargeIn: { onSpeech: false, onDtmf: true } } });
    call.say(TEXT);
    call.command({ type: 'hang-up', when: 'after-speech' });
    await rig.clock.advance(300);
    call.connection.say({ type: 'dtmf', digit: '5' });
    await rig.clock.settle();
    expect(call.told('interruption')).toEqual([]);
    call.command({ type: 'clear' });
    expect(call.connection.isClosed).toBe(true);
    await expectNothingLeft(rig);
  });

  it('by itself in a shutdown, or by it at the deadline', async () => {
    const rig = new CallRig();
    const call = await rig.call();
    const [live] = rig.live;
    expect(live?.busy).toBe(true);
    call.say(TEXT);
    await rig.clock.advance(60_000);
    expect(live?.busy).toBe(true);
    live?.fail(new SpeechError('shutting_down', 'The server is shutting down.'));
    await rig.clock.settle();
    expect(call.connection.sent.at(-1)).toBe('hangup');
    expect(rig.ended).toMatchObject([{ reason: 'error', code: 'shutting_down' }]);
    await expectNothingLeft(rig);
  });

  it('before it has begun, when a shutdown comes first', async () => {
    const rig = new CallRig();
    const connection = rig.connect();
    const [live] = rig.live;
    expect(live?.busy).toBe(false);
    connection.say({ type: 'start', start: testStart() });
    expect(live?.busy).toBe(true);
    live?.fail(new SpeechError('shutting_down', 'The server is shutting down.'));
    await rig.clock.settle();
    expect(connection.isClosed).toBe(true);
    await expectNothingLeft(rig);
  });
});

describe('a bot that vanishes', () => {
  it('has what it wrote spoken to its end, and an apology after it', async () => {
    const rig = new CallRig();
    const line = { botLoss: { finishesSpeech: true, apology: 'Sorry.' } };
    const call = await rig.call({ line, start: testStart('pcm_22050') });
    call.say('one two');
    await rig.clock.advance(50);
    const told = call.events.length;
    call.hold?.release();
    call.hold?.release();
    await rig.clock.advance(1500);
    expect(textHeard(call.connection)).toEqual(['one twoSorry.']);
    expect(call.connection.isClosed).toBe(true);
    expect(call.events).toHaveLength(told);
    expect(rig.ended).toMatchObject([{ reason: 'error', code: 'bot_unreachable' }]);
    await expectNothingLeft(rig);
  });

  it('is cut off where the line wants it so', async () => {
    const rig = new CallRig();
    const line = { botLoss: { finishesSpeech: false, apology: 'Sorry.' } };
    const call = await rig.call({ line });
    call.say(TEXT);
    await rig.clock.advance(500);
    call.hold?.release();
    expect(call.connection.sent).toContain('clear');
    await rig.clock.advance(2000);
    expect(call.connection.heard.length / 8).toBeLessThan(500 + 6 * 47 + 20);
    expect(rig.engine.spoken.join('')).toContain('Sorry.');
    expect(call.connection.isClosed).toBe(true);
    await expectNothingLeft(rig);
  });

  it('leaves no silent call behind when even the apology fails', async () => {
    const rig = new CallRig({ engine: new ToneEngine({ failOn: 'S' }) });
    const line = { botLoss: { finishesSpeech: false, apology: 'Sorry.' } };
    const call = await rig.call({ line });
    call.hold?.release();
    await rig.clock.advance(3000);
    expect(call.connection.isClosed).toBe(true);
    await expectNothingLeft(rig);
  });

  it('that never came is waited for, and no longer', async () => {
    const rig = new CallRig();
    const seen: string[] = [];
    rig.calls.callRegistry.watch('account', {
      waiting: () => seen.push('waiting'),
      ended: () => seen.push('ended'),
    });
    const connection = rig.connect({
      line: {
        bot: { type: 'attach', waitMs: 3000 },
        botLoss: { finishesSpeech: true, apology: 'Nobody is here.' },
      },
    });
    connection.say({ type: 'start', start: testStart() });
    await rig.clock.advance(2900);
    expect(rig.calls.callRegistry.waiting('account')).toHaveLength(1);
    await rig.clock.advance(200);
    expect(rig.calls.callRegistry.waiting('account')).toEqual([]);
    expect(seen).toEqual(['waiting', 'ended']);
    await rig.clock.advance(2000);
    expect(connection.isClosed).toBe(true);
    expect(rig.engine.spoken.join('')).toBe('Nobody is here.');
    await expectNothingLeft(rig);
  });
});

/** A carrier that plays everything and answers nothing. */
function silentDialect(_rig: CallRig) {
  return {
    receive: (message: string | Uint8Array) => {
      const event = JSON.parse(String(message));
      return event.type === 'mark' ? [] : [event];
    },
    play: (units: Uint8Array) => [units],
    clear: () => ['clear'],
    mark: (name: string) => [`mark ${name}`],
    done: () => [],
    hangUp: () => ['hangup'],
  };
}
