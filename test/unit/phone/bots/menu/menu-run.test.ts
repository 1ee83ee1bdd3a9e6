import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInMenu } from '../../../../../src/phone/bots/menu/built-in-menu.ts';
import {
  type MenuAction,
  type MenuInput,
  MenuRun,
} from '../../../../../src/phone/bots/menu/menu-run.ts';
import { readMenu } from '../../../../../src/phone/bots/menu/read-menu.ts';

const MENU = readMenu(
  `
timeout_s: 5
timeout: { say: Nothing came., retries: 1, goto: bye }
invalid: { say: Not that one., retries: 1 }
states:
  hello:
    say: Hello {from}.
    goto: main
  main:
    say: One or two?
    keys: { "1": number, "2": agent }
  number:
    say: Your number?
    collect: { into: number, min_digits: 2, max_digits: 5 }
    goto: read_back
  read_back:
    say: It is {number}, so {number:number}. Right?
    barge_in: false
    keys: { "1": bye, "2": number }
  agent:
    say: One moment.
    transfer: { to: "+15551234567", failed: sorry }
  sorry:
    say: Nobody is there.
    goto: main
  bye:
    say: Goodbye.
    hang_up: true
`,
  'menu.yaml',
);

const HEARD: MenuInput = { type: 'heard' };
const TIMEOUT: MenuInput = { type: 'timeout' };
const WAIT: MenuAction = { type: 'wait', durationMs: 5000 };
const CLEAR: MenuAction = { type: 'clear' };
const say = (text: string): MenuAction => ({ type: 'say', text });

/** Begins a call and takes it through some inputs; keys are written as a string of them. */
function walk(...inputs: ReadonlyArray<MenuInput | string>) {
  const run = new MenuRun(MENU, new Map([['from', '+15557654321']]));
  const taken = [{ type: 'begin' } as const, ...inputs].map((input) =>
    typeof input === 'string'
      ? [...input].flatMap((key) => run.take({ type: 'key', key }))
      : run.take(input),
  );
  return { run, last: taken.at(-1), all: taken };
}

describe('a walk through a menu', () => {
  it('speaks, goes on when it was heard, and then waits', () => {
    expect(walk(HEARD, HEARD).all).toEqual([
      [say('Hello +15557654321.')],
      [say('One or two?')],
      [WAIT],
    ]);
  });

  it('falls silent for a key that it waits for', () => {
    expect(walk(HEARD, '1').last).toEqual([CLEAR, say('Your number?')]);
    expect(walk(HEARD, HEARD, '1').last).toEqual([say('Your number?')]);
  });

  it('takes no key while it says what must be heard', () => {
    expect(walk('1').last).toEqual([]);
    const atReadBack = [HEARD, '1', '42#'] as const;
    expect(walk(...atReadBack, '1').last).toEqual([]);
    expect(walk(...atReadBack, '1', HEARD).last).toEqual([WAIT]);
    expect(walk(...atReadBack, HEARD, '1').last).toEqual([say('Goodbye.'), { type: 'hang-up' }]);
  });

  it('collects digits, and reads them back', () => {
    expect(walk(HEARD, '1', '4').last).toEqual([CLEAR, WAIT]);
    expect(walk(HEARD, '1', HEARD, '4').last).toEqual([WAIT]);
    const readBack = say('It is 4 2, so 42. Right?');
    expect(walk(HEARD, '1', '42#').last).toEqual([CLEAR, WAIT, WAIT, readBack]);
    expect(walk(HEARD, '1', '42', TIMEOUT).last).toEqual([readBack]);
    expect(walk(HEARD, '1', '48213').last?.at(-1)).toEqual(
      say('It is 4 8 2, 1 3, so 48213. Right?'),
    );
  });

  it('says what is wrong, and asks again', () => {
    const again = say('Not that one. Your number?');
    expect(walk(HEARD, '1', '4#').last?.at(-1)).toEqual(again);
    expect(walk(HEARD, '1', '4*').last?.at(-1)).toEqual(again);
    expect(walk(HEARD, '1', '4', TIMEOUT).last).toEqual([say('Nothing came. Your number?')]);
    expect(walk(HEARD, HEARD, '7').last).toEqual([say('Not that one. One or two?')]);
    // What was typed before does not count any more.
    expect(walk(HEARD, '1', '4#', HEARD, '4#').last?.at(-1)).toEqual({ type: 'hang-up' });
  });

  it('gives up after a while, each way counted by itself', () => {
    const once = [HEARD, HEARD, TIMEOUT, HEARD, '7', HEARD] as const;
    expect(walk(...once, TIMEOUT).last).toEqual([say('Goodbye.'), { type: 'hang-up' }]);
    expect(walk(...once, '7').last).toEqual([{ type: 'hang-up' }]);
    // Another state is another beginning.
    expect(walk(...once, '1', HEARD, TIMEOUT).last).toEqual([say('Nothing came. Your number?')]);
  });

  it('transfers, or says that nobody is there', () => {
    const transfer = [say('One moment.'), { type: 'transfer', to: '+15551234567' }];
    expect(walk(HEARD, HEARD, '2').last).toEqual(transfer);
    expect(walk(HEARD, HEARD, '2', '1', HEARD, TIMEOUT).last).toEqual([]);
    expect(walk(HEARD, HEARD, '2', { type: 'transfer-failed' }).last).toEqual([
      say('Nobody is there.'),
    ]);
    expect(walk(HEARD, HEARD, { type: 'transfer-failed' }).last).toEqual([]);
  });

  it('does nothing more once it is over', () => {
    const over = [HEARD, '1', '42#', HEARD, '1'] as const;
    for (const late of [HEARD, TIMEOUT, '1', { type: 'transfer-failed' } as const]) {
      expect(walk(...over, late).last).toEqual([]);
    }
  });
});

describe.each([
  ['the test menu', MENU],
  ['the built-in menu', builtInMenu],
])('whatever happens to %s', (_name, menu) => {
  const input = fc.oneof(
    fc.constantFrom<MenuInput>(HEARD, TIMEOUT, { type: 'transfer-failed' }),
    fc.constantFrom(...'0123456789*#A').map((key): MenuInput => ({ type: 'key', key })),
    fc.constant(HEARD),
  );

  /** Only what is being said can be heard, and only what was asked for can time out. */
  const canHappen = (each: MenuInput, last: MenuAction['type'] | undefined) =>
    (each.type !== 'heard' || last === 'say') && (each.type !== 'timeout' || last === 'wait');

  it('it always speaks, waits, or has ended', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
        const run = new MenuRun(menu);
        let last: MenuAction['type'] | undefined;
        for (const each of [{ type: 'begin' } as const, ...inputs]) {
          if (!canHappen(each, last)) continue;
          last = run.take(each).at(-1)?.type ?? last;
          expect(['say', 'wait', 'hang-up', 'transfer']).toContain(last);
        }
      }),
      { numRuns: 500 },
    );
  });
});
