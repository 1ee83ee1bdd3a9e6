import { beforeEach, describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../../src/domain/errors.ts';
import { type After, MenuBot } from '../../../../../src/phone/bots/menu/menu-bot.ts';
import { readMenu } from '../../../../../src/phone/bots/menu/read-menu.ts';
import type { CallCommand } from '../../../../../src/phone/calls/call-messages.ts';
import { callRecord } from '../../../../support/registry-of-calls.ts';

const MENU = readMenu(
  `
timeout_s: 5
timeout: { retries: 1 }
states:
  main:
    say: One or two, {from}?
    keys: { "1": agent, "2": main }
  agent:
    transfer: { to: "123", failed: sorry }
  sorry: { say: Nobody is there., goto: main }
`,
  'menu.yaml',
);

/** A clock that only tests move. */
class VirtualClock {
  readonly due = new Map<number, () => void>();
  #next = 0;
  readonly after: After = (durationMs, action) => {
    expect(durationMs).toBe(5000);
    this.#next += 1;
    const id = this.#next;
    this.due.set(id, action);
    return () => this.due.delete(id);
  };

  /** Lets all that is due happen. */
  pass(): void {
    for (const [id, action] of [...this.due]) {
      this.due.delete(id);
      action();
    }
  }
}

let clock: VirtualClock;
let commands: CallCommand[];
let refused: CallCommand['type'] | undefined;
let bot: MenuBot;

beforeEach(() => {
  clock = new VirtualClock();
  commands = [];
  refused = undefined;
  bot = new MenuBot(MENU, callRecord(), clock.after);
});

function begin(): void {
  bot.join({
    command: (command) => {
      if (command.type === refused) throw new SpeechError('invalid_parameters', 'No.');
      commands.push(command);
    },
    release: () => undefined,
  });
}

const kinds = () => commands.splice(0).map(({ type }) => type);
const heard = (contextId: string) => bot.tell({ type: 'context-end', contextId });
const press = (digit: string) => bot.tell({ type: 'dtmf', digit });
const SAID = ['text', 'context-close'];

describe('the built-in bot', () => {
  it('speaks once it has its call', () => {
    bot.tell({ type: 'call-start', call: callRecord() });
    begin();
    expect(commands).toEqual([
      { type: 'text', contextId: 'menu-1', text: 'One or two, +15557654321?', trigger: false },
      { type: 'context-close', contextId: 'menu-1' },
    ]);
  });

  it('waits from the moment on in which it was heard', () => {
    begin();
    expect(clock.due.size).toBe(0);
    heard('another');
    expect(clock.due.size).toBe(0);
    heard('menu-1');
    expect(clock.due.size).toBe(1);
    kinds();
    clock.pass();
    expect(kinds()).toEqual(SAID);
    heard('menu-2');
    clock.pass();
    expect(kinds()).toEqual(['hang-up']);
    expect(clock.due.size).toBe(0);
  });

  it('waits too when it was interrupted', () => {
    begin();
    const cut = [{ contextId: 'menu-1', heard: 'One', unheard: ' or two?', heardMs: 300 }];
    bot.tell({ type: 'interruption', cause: 'speech', cut });
    expect(clock.due.size).toBe(1);
  });

  it('falls silent for a key, and does not take its own silence for an answer', () => {
    begin();
    kinds();
    press('2');
    expect(kinds()).toEqual(['clear', ...SAID]);
    const cut = [{ contextId: 'menu-1', heard: '', unheard: 'One or two?', heardMs: 0 }];
    bot.tell({ type: 'interruption', cause: 'clear', cut });
    heard('menu-1');
    expect(clock.due.size).toBe(0);
    heard('menu-2');
    press('2');
    expect(clock.due.size).toBe(0);
    expect(kinds()).toEqual(SAID);
  });

  it('transfers, and goes on where that cannot be done', () => {
    begin();
    kinds();
    press('1');
    expect(kinds()).toEqual(['clear', 'transfer']);
    bot.tell({
      type: 'refusal',
      contextId: undefined,
      error: new SpeechError('invalid_parameters', 'This carrier cannot transfer.'),
    });
    expect(kinds()).toEqual(SAID);
    heard('menu-2');
    expect(kinds()).toEqual(SAID);
  });

  it('goes on likewise where the call refuses at once', () => {
    refused = 'transfer';
    begin();
    kinds();
    press('1');
    expect(kinds()).toEqual(['clear', ...SAID]);
  });

  it('hangs up when it cannot speak', () => {
    refused = 'text';
    begin();
    // Silence is no question: the second attempt comes after the time that an answer would have had.
    clock.pass();
    expect(kinds()).toEqual([]);
    clock.pass();
    expect(kinds()).toEqual(['hang-up']);
  });

  it('does nothing once the call is over', () => {
    begin();
    heard('menu-1');
    kinds();
    bot.tell({ type: 'call-end', reason: 'hangup', durationMs: 1 });
    expect(clock.due.size).toBe(0);
    press('1');
    expect(kinds()).toEqual([]);
  });

  it('takes answers that come before its command returns', () => {
    bot.join({
      command: (command) => {
        commands.push(command);
        if (command.type === 'context-close') heard(command.contextId);
      },
      release: () => undefined,
    });
    expect(kinds()).toEqual(SAID);
    expect(clock.due.size).toBe(1);
  });
});
