/** How much further ahead of its listener one context gets before the neediest of the others goes on. */
const QUANTUM_MS = 1000;
/** How much later a piece of work of a context that yields may be done than any listener could wait. */
const YIELD_MS = 1000;

interface Waiting {
  readonly dryAtMs: number;
  readonly resume: () => void;
}

/**
 * Decides which contexts of a connection may speak. Open ones always may; a connection has few of
 * them. A context that was closed, and then overtaken by a younger one, yields: of these, one at a
 * time is spoken, the one whose audio runs dry first. Clients that are interrupted again and again
 * close contexts faster than they are spoken, and what was interrupted must not delay what is said
 * next.
 */
export class SpeakingTurns {
  readonly #most: number;
  readonly #now: () => number;
  readonly #speaking = new Set<SpeakingTurn>();
  readonly #waiting = new Map<SpeakingTurn, Waiting>();
  #youngest: SpeakingTurn | undefined;
  /** The one that speaks of those that were overtaken. */
  #yielding: SpeakingTurn | undefined;

  /**
   * @param most contexts that may speak at once when any of them is closed.
   * @param now milliseconds that never go back.
   */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Enters a context that begins to speak; all that entered before are older. */
  enter(): SpeakingTurn {
    const turn: SpeakingTurn = new SpeakingTurn({
      isYoungest: () => turn === this.#youngest,
      isWaiting: () => this.#waiting.has(turn),
      take: (dryAtMs, signal) => this.#take(turn, dryAtMs, signal),
      end: () => this.#end(turn),
      now: this.#now,
    });
    this.#youngest = turn;
    return turn;
  }

  async #take(turn: SpeakingTurn, dryAtMs: number, signal: AbortSignal): Promise<void> {
    const isAllowed = turn.isOvertaken
      ? this.#yielding === turn && !this.#isNeededMore(dryAtMs)
      : !turn.isClosed || this.#speaking.has(turn) || this.#hasRoom;
    if (isAllowed) {
      this.#speaking.add(turn);
      return;
    }
    const isHandedOver = this.#wait(turn, dryAtMs, signal);
    this.#end(turn);
    await isHandedOver;
  }

  #isNeededMore(dryAtMs: number): boolean {
    return [...this.#waiting.values()].some((other) => other.dryAtMs + QUANTUM_MS < dryAtMs);
  }

  #wait(turn: SpeakingTurn, dryAtMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(turn);
        reject(signal.reason as Error);
      };
      const resume = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.set(turn, { dryAtMs, resume });
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #end(turn: SpeakingTurn): void {
    this.#speaking.delete(turn);
    if (this.#yielding === turn) this.#yielding = undefined;
    if (this.#youngest && this.#hasRoom) this.#resume(this.#youngest);
    if (this.#yielding || !this.#hasRoom) return;
    const [first, ...others] = this.#waiting;
    if (!first) return;
    const [next] = others.reduce(
      (soonest, other) => (other[1].dryAtMs < soonest[1].dryAtMs ? other : soonest),
      first,
    );
    this.#yielding = next;
    this.#resume(next);
  }

  #resume(turn: SpeakingTurn): void {
    const waiting = this.#waiting.get(turn);
    if (!waiting) return;
    this.#waiting.delete(turn);
    this.#speaking.add(turn);
    waiting.resume();
  }

  get #hasRoom(): boolean {
    return this.#speaking.size < this.#most;
  }
}

interface TurnPorts {
  readonly isYoungest: () => boolean;
  readonly isWaiting: () => boolean;
  readonly take: (dryAtMs: number, signal: AbortSignal) => Promise<void>;
  readonly end: () => void;
  readonly now: () => number;
}

/** One context's leave to speak. */
export class SpeakingTurn {
  readonly #ports: TurnPorts;
  #isClosed = false;
  #takenAtMs = 0;

  constructor(ports: TurnPorts) {
    this.#ports = ports;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether its client has closed it and gone on to another. */
  get isOvertaken(): boolean {
    return this.#isClosed && !this.#ports.isYoungest();
  }

  /** Whether it stands still to let others speak. */
  get isWaiting(): boolean {
    return this.#ports.isWaiting();
  }

  /** No more text will come: from now on younger contexts go first. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Asks to speak on, before each piece of work.
   *
   * @param dryAtMs when its listener has nothing left to play.
   * @throws the signal's reason when it aborts while waiting.
   */
  async take(dryAtMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.#ports.take(dryAtMs, signal);
    this.#takenAtMs = this.#ports.now();
  }

  /** Until when the engine may take for a piece of work that a listener needs at `deadline`. */
  yielding(deadline: () => number): () => number {
    return () => (this.isOvertaken ? Math.max(deadline(), this.#takenAtMs) + YIELD_MS : deadline());
  }

  /** Nothing more is to be spoken for now. Idempotent. */
  end(): void {
    this.#ports.end();
  }
}
