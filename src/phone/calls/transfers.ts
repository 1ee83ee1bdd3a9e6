/** How long a carrier may take to ask what follows a call. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1000;

interface Transfer {
  readonly to: string;
  readonly untilMs: number;
}

/** Where bots have passed calls on to, until the carriers ask. */
export class Transfers {
  readonly #now: () => number;
  /** The oldest first. */
  readonly #kept = new Map<string, Transfer>();

  /** @param now milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  remember(lineId: string, carrierCallId: string, to: string): void {
    const key = keyOf(lineId, carrierCallId);
    this.#kept.delete(key);
    this.#kept.set(key, { to, untilMs: this.#now() + KEPT_MS });
    for (const [oldest, { untilMs }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && untilMs > this.#now()) return;
      this.#kept.delete(oldest);
    }
  }

  /** May be asked again: carriers repeat requests whose answer they did not get. */
  find(lineId: string, carrierCallId: string): string | undefined {
    const found = this.#kept.get(keyOf(lineId, carrierCallId));
    return found && found.untilMs > this.#now() ? found.to : undefined;
  }
}

function keyOf(lineId: string, carrierCallId: string): string {
  return JSON.stringify([lineId, carrierCallId]);
}
