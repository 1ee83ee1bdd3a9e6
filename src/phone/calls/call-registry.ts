import { BoundedMap } from '../../domain/bounded-map.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { Bot, BotHold, CallRecord } from './call-messages.ts';

/** Is told which calls wait for a bot. */
export interface CallWatcher {
  /** A call has come in, and no bot has taken it. */
  waiting(call: CallRecord): void;
  /** It waits no longer: it was taken, or has ended. */
  ended(callId: string): void;
}

/** A call, as the board sees it. */
export interface PostedCall {
  readonly record: CallRecord;
  /** Whether it waits for a bot to come by itself. */
  readonly isWaiting: boolean;
  /** @throws SpeechError `call_taken`. */
  attach(bot: Bot): BotHold;
}

/** How many calls that are over are remembered, to tell a late bot what became of its call. */
const REMEMBERED_CALLS = 1000;

/** The calls that are going on, for bots to take; an account sees its own. */
export class CallRegistry {
  readonly #calls = new Map<string, PostedCall>();
  /** Account by id of a call that is over. */
  readonly #ended = new BoundedMap<string, string>(REMEMBERED_CALLS);
  readonly #watchers = new Map<string, Set<CallWatcher>>();

  /** Calls that are going on, of all accounts. */
  get size(): number {
    return this.#calls.size;
  }

  /** The account of each call that is going on. */
  get accounts(): readonly string[] {
    return [...this.#calls.values()].map(({ record }) => record.accountId);
  }

  /** The account's calls that no bot has taken, the oldest first. */
  waiting(accountId: string): readonly CallRecord[] {
    return [...this.#calls.values()]
      .filter(({ record, isWaiting }) => isWaiting && record.accountId === accountId)
      .map(({ record }) => record);
  }

  /**
   * Tells of each call that comes in and waits from now on.
   * @returns what ends the watch; idempotent.
   */
  watch(accountId: string, watcher: CallWatcher): () => void {
    const watchers = this.#watchers.get(accountId) ?? new Set();
    this.#watchers.set(accountId, watchers);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(accountId) === watchers) {
        this.#watchers.delete(accountId);
      }
    };
  }

  /** @throws SpeechError `not_found`, `call_taken`, `call_ended`. */
  attach(accountId: string, callId: string, bot: Bot): BotHold {
    const call = this.#calls.get(callId);
    if (call?.record.accountId === accountId) return call.attach(bot);
    if (this.#ended.get(callId) === accountId) {
      throw new SpeechError('call_ended', `The call "${callId}" is over.`);
    }
    throw new SpeechError(
      'not_found',
      `There is no call "${callId}". GET /v1/calls lists those that wait for a bot.`,
    );
  }

  /** Puts a new call up. */
  post(call: PostedCall): void {
    const { callId, accountId } = call.record;
    this.#calls.set(callId, call);
    if (call.isWaiting) this.#tell(accountId, (watcher) => watcher.waiting(call.record));
  }

  /** A call that waited does so no longer. */
  claimed({ callId, accountId }: CallRecord): void {
    this.#tell(accountId, (watcher) => watcher.ended(callId));
  }

  /** Takes a call down that is over. Idempotent. */
  remove({ callId, accountId }: CallRecord, wasWaiting: boolean): void {
    if (!this.#calls.delete(callId)) return;
    this.#ended.set(callId, accountId);
    if (wasWaiting) this.#tell(accountId, (watcher) => watcher.ended(callId));
  }

  #tell(accountId: string, tell: (watcher: CallWatcher) => void): void {
    // A copy: a watcher that is told may end its watch.
    for (const watcher of [...(this.#watchers.get(accountId) ?? [])]) tell(watcher);
  }
}
