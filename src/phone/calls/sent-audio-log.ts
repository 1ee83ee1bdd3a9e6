interface Stretch {
  /** Where it lies among all audio sent on the call; see `Playback`. */
  readonly startMs: number;
  endMs: number;
}

interface Account {
  /** Audio in stretches that are certain to have been heard, and are kept no longer. */
  settledMs: number;
  readonly stretches: Stretch[];
}

/** Whose audio was sent, and where, so that what was heard of each speaker can be told. */
export class SentAudioLog<Speaker> {
  readonly #accounts = new Map<Speaker, Account>();

  /** Enters audio that was sent; in the order in which it was. */
  enter(speaker: Speaker, startMs: number, durationMs: number): void {
    const account = this.#accounts.get(speaker) ?? { settledMs: 0, stretches: [] };
    this.#accounts.set(speaker, account);
    const last = account.stretches.at(-1);
    // Within a nanosecond: some rates have no whole number of bytes in a millisecond.
    if (last && Math.abs(last.endMs - startMs) < 1e-6) last.endMs = startMs + durationMs;
    else account.stretches.push({ startMs, endMs: startMs + durationMs });
  }

  /** Audio of one speaker that lies before a position. */
  heardMs(speaker: Speaker, positionMs: number): number {
    const account = this.#accounts.get(speaker);
    if (!account) return 0;
    return account.stretches.reduce(
      (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, positionMs) - startMs),
      account.settledMs,
    );
  }

  /** What lies before a position has been heard, for certain: an hour's call needs little memory. */
  settle(positionMs: number): void {
    for (const account of this.#accounts.values()) {
      const { stretches } = account;
      for (let [first] = stretches; first && first.endMs <= positionMs; [first] = stretches) {
        account.settledMs += first.endMs - first.startMs;
        stretches.shift();
      }
    }
  }

  /** What lies beyond a position was dropped and will not be heard. */
  cut(positionMs: number): void {
    for (const { stretches } of this.#accounts.values()) {
      for (let last = stretches.at(-1); last && last.endMs > positionMs; last = stretches.at(-1)) {
        if (last.startMs >= positionMs) {
          stretches.pop();
        } else {
          last.endMs = positionMs;
        }
      }
    }
  }

  /** The speaker has been heard, or will not be asked for again. */
  forget(speaker: Speaker): void {
    this.#accounts.delete(speaker);
  }
}
