import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../domain/account.ts';
import { SpeechError } from '../../../domain/errors.ts';
import type { Line } from '../../calls/line.ts';

/** How long a dialplan may take between asking for an id and connecting with it. */
const WAIT_MS = 60_000;
const MAX_WAITING = 10_000;

/** A call that somebody who may announced; its connection names it and is let in by that. */
export interface AnnouncedCall {
  readonly line: Line;
  /** Who pays. */
  readonly caller: Caller;
  /** What came along: numbers, and whatever the bot is to know. `rate` is the channel's. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface Waiting {
  readonly call: AnnouncedCall;
  readonly expiresAtMs: number;
}

/**
 * Calls that are about to come in over AudioSocket, whose connections carry nothing but an id: each
 * is good for one connection, and for a minute.
 */
export class AudioSocketCalls {
  readonly #now: () => number;
  readonly #maxWaiting: number;
  /** In the order in which they expire. */
  readonly #waiting = new Map<string, Waiting>();

  /** @param now milliseconds of a clock that never goes back. */
  constructor(now: () => number, maxWaiting = MAX_WAITING) {
    this.#now = now;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * @returns the id to put into `AudioSocket(id,host:port)`.
   * @throws SpeechError `system_busy` when too many wait already.
   */
  announce(call: AnnouncedCall): { readonly uuid: string; readonly validForMs: number } {
    this.#forgetExpired();
    if (this.#waiting.size >= this.#maxWaiting) {
      throw new SpeechError(
        'system_busy',
        'Too many announced calls have not connected yet. Try again in a minute.',
      );
    }
    const uuid = randomUUID();
    this.#waiting.set(uuid, { call, expiresAtMs: this.#now() + WAIT_MS });
    return { uuid, validForMs: WAIT_MS };
  }

  /** @returns the call, for the first who asks in time. */
  claim(uuid: string): AnnouncedCall | undefined {
    this.#forgetExpired();
    const waiting = this.#waiting.get(uuid);
    this.#waiting.delete(uuid);
    return waiting?.call;
  }

  #forgetExpired(): void {
    for (const [uuid, { expiresAtMs }] of this.#waiting) {
      if (expiresAtMs > this.#now()) return;
      this.#waiting.delete(uuid);
    }
  }
}
