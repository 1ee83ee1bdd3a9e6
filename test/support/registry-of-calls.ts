import { parseOutputFormat } from '../../src/domain/audio.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import type { WaitingCalls } from '../../src/phone/bots/waiting-calls.ts';
import type { Bot, BotHold, CallCommand, CallRecord } from '../../src/phone/calls/call-messages.ts';
import type { CallWatcher } from '../../src/phone/calls/call-registry.ts';

/** @returns a call as a carrier would have announced it. */
export function callRecord(changes: Partial<CallRecord> = {}): CallRecord {
  return {
    callId: 'call-1',
    lineId: 'default',
    carrier: 'twilio',
    accountId: 'default',
    startedAtMs: 1_795_000_000_000,
    start: {
      streamId: 'MZ1',
      carrierCallId: 'CA1',
      from: '+15557654321',
      to: undefined,
      parameters: { campaign: 'spring' },
      callerFormat: parseOutputFormat('ulaw_8000'),
      spokenFormat: parseOutputFormat('ulaw_8000'),
    },
    ...changes,
  };
}

/** What a test sees of a bot that has taken a call. */
export interface Attached {
  readonly bot: Bot;
  readonly commands: CallCommand[];
  isReleased: boolean;
}

/**
 * A board whose calls are nothing but records, for tests of what lies between it and a bot: it keeps
 * what a bot commands, and a test tells the bot what it likes.
 */
export class RegistryOfCalls implements WaitingCalls {
  readonly attached = new Map<string, Attached>();
  /** Thrown at the next command. */
  refusal: Error | undefined;
  readonly #waiting = new Map<string, CallRecord>();
  readonly #watchers = new Map<CallWatcher, string>();
  #wakers: Array<() => void> = [];

  get watchers(): number {
    return this.#watchers.size;
  }

  add(call: CallRecord): void {
    this.#waiting.set(call.callId, call);
    this.#each(call.accountId, (watcher) => watcher.waiting(call));
  }

  remove(callId: string): void {
    const call = this.#waiting.get(callId);
    this.#waiting.delete(callId);
    if (call) this.#each(call.accountId, (watcher) => watcher.ended(callId));
  }

  waiting(accountId: string): readonly CallRecord[] {
    return [...this.#waiting.values()].filter((call) => call.accountId === accountId);
  }

  watch(accountId: string, watcher: CallWatcher): () => void {
    this.#watchers.set(watcher, accountId);
    this.#wake();
    return () => {
      this.#watchers.delete(watcher);
      this.#wake();
    };
  }

  attach(accountId: string, callId: string, bot: Bot): BotHold {
    const call = this.#waiting.get(callId);
    if (this.attached.has(callId))
      throw new SpeechError('call_taken', 'Another bot has this call.');
    if (call?.accountId !== accountId) throw new SpeechError('not_found', 'There is no such call.');
    this.remove(callId);
    const attached: Attached = { bot, commands: [], isReleased: false };
    this.attached.set(callId, attached);
    bot.tell({ type: 'call-start', call });
    this.#wake();
    return {
      command: (command) => {
        const { refusal } = this;
        this.refusal = undefined;
        if (refusal) throw refusal;
        attached.commands.push(command);
        this.#wake();
      },
      release: () => {
        attached.isReleased = true;
        this.#wake();
      },
    };
  }

  /** Waits until a test of this board's state holds. */
  async until<T>(probe: () => T | undefined | false): Promise<T> {
    while (true) {
      const found = probe();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => {
        this.#wakers.push(resolve);
      });
    }
  }

  #each(accountId: string, action: (watcher: CallWatcher) => void): void {
    for (const [watcher, owner] of this.#watchers) if (owner === accountId) action(watcher);
  }

  #wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }
}
