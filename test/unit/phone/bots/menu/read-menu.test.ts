import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_MENU_YAML,
  builtInMenu,
} from '../../../../../src/phone/bots/menu/built-in-menu.ts';
import { readMenu } from '../../../../../src/phone/bots/menu/read-menu.ts';
import { YamlError } from '../../../../../src/phone/lines/checked-yaml.ts';

function complaints(text: string): readonly string[] {
  try {
    readMenu(text, 'menu.yaml');
  } catch (thrown) {
    if (thrown instanceof YamlError) return thrown.problems;
    throw thrown;
  }
  return [];
}

describe('a menu file', () => {
  it('gives every state what it does', () => {
    const menu = readMenu(
      `
start: ask
barge_in: false
timeout_s: 3
timeout: { say: "Are you there?", retries: 1, goto: bye }
states:
  bye: { say: Goodbye., hang_up: true }
  ask:
    say: "  Type it. "
    barge_in: true
    collect: { into: pin, digits: 4 }
    invalid: { say: "Four digits." }
    goto: choose
  choose:
    say: "You typed {pin}, or {pin:number}, and called {to}."
    keys: { "1": ask, "*": bye, A: agent }
    timeout_s: 0.5
    timeout: { retries: 0 }
  agent: { transfer: { to: "+15551234567", failed: bye } }
  hop: { goto: ask }
`,
      'menu.yaml',
    );
    expect(menu.start).toBe('ask');
    const silent = { say: [], retries: 2, goto: undefined };
    const there = { say: ['Are you there?'], retries: 1, goto: 'bye' };
    expect(menu.states.get('ask')).toEqual({
      say: ['Type it.'],
      bargeIn: true,
      step: {
        type: 'collect',
        variable: 'pin',
        minDigits: 4,
        maxDigits: 4,
        endKey: '#',
        goto: 'choose',
        inputRules: {
          timeoutMs: 3000,
          timeout: there,
          invalid: { ...silent, say: ['Four digits.'] },
        },
      },
    });
    expect(menu.states.get('choose')).toEqual({
      say: [
        'You typed ',
        { variable: 'pin', reading: 'digits' },
        ', or ',
        { variable: 'pin', reading: 'plain' },
        ', and called ',
        { variable: 'to', reading: 'plain' },
        '.',
      ],
      bargeIn: false,
      step: {
        type: 'keys',
        keys: new Map([
          ['1', 'ask'],
          ['*', 'bye'],
          ['A', 'agent'],
        ]),
        inputRules: { timeoutMs: 500, timeout: { ...there, retries: 0 }, invalid: silent },
      },
    });
    expect(menu.states.get('agent')?.step).toEqual({
      type: 'transfer',
      to: '+15551234567',
      failed: 'bye',
    });
    expect(menu.states.get('bye')?.step).toEqual({ type: 'hang-up' });
    expect(menu.states.get('hop')?.step).toEqual({ type: 'goto', goto: 'ask' });
  });

  it('starts with its first state unless it says otherwise', () => {
    expect(readMenu('states: { a: { hang_up: true }, b: { goto: a } }', 'm').start).toBe('a');
  });

  it('comes with the server, and is one that can be copied', () => {
    expect(builtInMenu).toEqual(readMenu(BUILT_IN_MENU_YAML, 'copy.yaml'));
    expect(builtInMenu.start).toBe('welcome');
  });

  const state = (...rows: readonly string[]) =>
    ['states:', '  a:', ...rows.map((row) => `    ${row}`), '  end: { hang_up: true }'].join('\n');

  it.each([
    ['no states', 'states: {}', /^menu\.yaml:1: states must/],
    [
      'a state of an odd name',
      'states: { "A B": { hang_up: true } }',
      /states\.A B does not fit in here: this is a map of states/,
    ],
    [
      'a key that phones lack',
      state('keys: { "12": end }'),
      /^menu\.yaml:3: states\.a\.keys\.12 does not fit in here: this is a map of phone keys/,
    ],
    [
      'an unknown field',
      state('hangup: true', 'goto: end'),
      /^menu\.yaml:3: states\.a\.hangup is not a key that is known here\. Known are say,/,
    ],
    [
      'a key that leads nowhere',
      state('keys:', '  "1": finish'),
      'menu.yaml:4: states.a.keys.1 leads to "finish", which is no state. States are a, end.',
    ],
    [
      'a start that is nowhere',
      `start: x\n${state('goto: end')}`,
      /^menu\.yaml:1: start leads to "x"/,
    ],
    [
      'a timeout to nowhere',
      state('keys: { "1": end }', 'timeout: { goto: x }'),
      /timeout\.goto leads to "x"/,
    ],
    [
      'a failed transfer to nowhere',
      state('transfer: { to: "123", failed: x }'),
      /transfer\.failed leads to "x"/,
    ],
    ['a way to the prototype', state('goto: constructor'), /leads to "constructor"/],
    [
      'a dead end',
      state('say: Hello.'),
      'menu.yaml:2: states.a leads nowhere. Add keys, collect, goto, transfer or hang_up.',
    ],
    [
      'two ways',
      state('goto: end', 'hang_up: true'),
      'menu.yaml:2: states.a has hang_up and goto, and can do only one of them.',
    ],
    ['digits for nothing', state('collect: { into: x }'), /lacks the goto/],
    [
      'a silent loop',
      'states: { a: { goto: b }, b: { goto: a } }',
      /^menu\.yaml:1: states\.a leads back to itself/,
    ],
    ['a timeout of no use', state('goto: end', 'timeout_s: 5'), /timeout_s is of no use/],
    [
      'both kinds of digits',
      state('collect: { into: x, digits: 2, max_digits: 3 }', 'goto: end'),
      /either digits, or/,
    ],
    [
      'digits the wrong way round',
      state('collect: { into: x, min_digits: 4, max_digits: 3 }', 'goto: end'),
      /min_digits above max_digits/,
    ],
    [
      'a digit that ends digits',
      state('collect: { into: x, end_key: "1" }', 'goto: end'),
      /end_key must not be a digit/,
    ],
    [
      'a number that YAML has eaten',
      state('transfer: +15551234567'),
      'menu.yaml:3: states.a.transfer must be a number as text, such as "+15551234567", or {to: number, failed: name of a state}: put it in quotes.',
    ],
    [
      'a transfer to a script',
      state('transfer: "javascript:alert(1)"'),
      /states\.a\.transfer must be a number/,
    ],
    [
      'a value of nobody',
      state('say: "You have {order}."', 'goto: end'),
      'menu.yaml:3: states.a.say has {order}, which no state collects. There are from, to.',
    ],
    [
      'an odd placeholder',
      state('say: "You have {order:loud}."', 'goto: end'),
      /which is none of \{name\}, \{name:digits\} and \{name:number\}/,
    ],
    [
      'an odd placeholder for all',
      `invalid: { say: "{x" }\ntimeout: { say: "{x}" }\n${state('keys: { "1": end }')}`,
      /^menu\.yaml:2: timeout\.say has \{x\}/,
    ],
  ])('is refused with %s', (_what, text, expected) => {
    const [first, ...rest] = complaints(text);
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
    for (const other of rest) expect(other).toMatch(/leads back to itself/);
  });
});
