import { describe, expect, it } from 'vitest';
import {
  type CallPlan,
  type CallState,
  isKeys,
  type PhoneAction,
  PhoneScript,
} from '../../../../src/tools/desk-phone/phone-script.ts';

const PLAN: CallPlan = { keys: '', speaks: false, bargeInMs: undefined, hangUpAtMs: undefined };

/** Runs a script over a call whose state is a function of time; what it did, and when. */
function run(plan: Partial<CallPlan>, stateAt: (atMs: number) => Partial<CallState> = () => ({})) {
  const script = new PhoneScript({ ...PLAN, ...plan });
  const done: [number, PhoneAction][] = [];
  for (let atMs = 0; atMs <= 400_000; atMs += 20) {
    const state = {
      atMs,
      firstAudioAtMs: undefined,
      isPlaying: false,
      lastHeardMs: undefined,
      isSpeaking: false,
      ...stateAt(atMs),
    };
    for (const action of script.due(state)) {
      done.push([atMs, action]);
      if (action.type === 'hang-up') return done;
    }
  }
  return done;
}

/** The other side speaks from one time to another. */
function speaking(fromMs: number, toMs: number) {
  return (atMs: number): Partial<CallState> => ({
    firstAudioAtMs: atMs >= fromMs ? fromMs : undefined,
    isPlaying: atMs >= fromMs && atMs < toMs,
    lastHeardMs: atMs >= toMs ? toMs : undefined,
  });
}

describe('PhoneScript', () => {
  it('presses keys after a second, 300 ms apart, and waits at w and W', () => {
    expect(run({ keys: '1w2W#', hangUpAtMs: 5000 })).toEqual([
      [1000, { type: 'press', digit: '1' }],
      [1800, { type: 'press', digit: '2' }],
      [3100, { type: 'press', digit: '#' }],
      [5000, { type: 'hang-up' }],
    ]);
  });

  it('speaks at once', () => {
    expect(run({ speaks: true, hangUpAtMs: 100 })[0]).toEqual([0, { type: 'say' }]);
  });

  it('barges in so long after the first word, with voice and keys', () => {
    const plan = { speaks: true, keys: '5', bargeInMs: 2000, hangUpAtMs: 9000 };
    expect(run(plan, speaking(500, 8000)).slice(0, 2)).toEqual([
      [2500, { type: 'say' }],
      [2500, { type: 'press', digit: '5' }],
    ]);
  });

  it('hangs up when the other side has been silent for three seconds', () => {
    expect(run({}, speaking(500, 4000))).toEqual([[7000, { type: 'hang-up' }]]);
  });

  it('does not hang up before everything is said and typed', () => {
    const [last] = run({ keys: '1wwwwwwwwwwww2' }, speaking(100, 200)).slice(-1);
    expect(last).toEqual([10_300, { type: 'hang-up' }]);
    const talks = (atMs: number) => ({ ...speaking(100, 200)(atMs), isSpeaking: atMs < 20_000 });
    expect(run({ speaks: true }, talks).at(-1)).toEqual([22_980, { type: 'hang-up' }]);
  });

  it('waits fifteen seconds for a first word, and five minutes for the last', () => {
    expect(run({})).toEqual([[15_000, { type: 'hang-up' }]]);
    expect(run({ speaks: true, bargeInMs: 1000 })).toEqual([[15_000, { type: 'hang-up' }]]);
    expect(run({}, speaking(0, 1e9))).toEqual([[300_000, { type: 'hang-up' }]]);
  });

  it('knows which keys there are', () => {
    expect(isKeys('0123456789*#ABCDwW')).toBe(true);
    expect(isKeys('12E')).toBe(false);
  });
});
