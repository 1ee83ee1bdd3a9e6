import { SpeechError } from '../../domain/errors.ts';
import type { EnginePlace } from './engine.ts';
import { Lateness } from './lateness.ts';
import { Holdings } from './places.ts';

/** How long a chunk takes while no better estimate is known. */
const FIRST_CHUNK_ESTIMATE_MS = 2_000;

interface OfAccount {
  readonly accountId: string;
}

export interface AdmissionOptions {
  /** Threads that synthesise. */
  readonly threads: number;
  readonly refusesWhenLate: boolean;
  /** How many streams may speak at once. */
  readonly places: () => number;
  /** Chunks that threads work on, or could. */
  readonly working: () => readonly OfAccount[];
}

/**
 * Lets speech begin, or refuses what would make running speech break up: when all places are taken,
 * or most steps start too late for their listeners. Only beginnings ask: what was let in goes on.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #lateness = new Lateness();
  /** Places of streams whose text is still being read. */
  readonly #reserved = new Set<OfAccount>();
  #chunkEstimateMs = FIRST_CHUNK_ESTIMATE_MS;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Chunks that threads work on, or could. */
  get working(): number {
    return this.#options.working().length;
  }

  /** Whether new speech is refused now. */
  get isFull(): boolean {
    return this.#isOverloaded || this.#holdings().taken >= this.#options.places();
  }

  /**
   * An account with nothing is let in though steps are late, while another has more than its even
   * share: the delay is the other's.
   *
   * @param standing accounts of streams that were admitted for good, and may speak at any time.
   * @throws SpeechError `system_busy`.
   */
  assertRoom(accountId: string, standing: readonly string[] = []): void {
    const holdings = this.#holdings();
    const hasRoom =
      holdings.hasRoomFor(accountId) &&
      new Holdings(this.#options.places(), standing).hasRoomFor(accountId);
    const isInTime = !this.#isOverloaded || holdings.isCrowdedOut(accountId);
    if (hasRoom && isInTime) return;
    const retryMs = Math.ceil(this.#chunkEstimateMs / Math.max(1, holdings.taken) / 50) * 50;
    throw new SpeechError(
      'system_busy',
      hasRoom
        ? `The server has no time for more speech now: try again in ${retryMs} ms.`
        : `The server is speaking as many texts as it can at once: try again in ${retryMs} ms.`,
    );
  }

  /** @throws SpeechError `system_busy`. */
  reserve(accountId: string): EnginePlace {
    this.assertRoom(accountId);
    const place = { accountId };
    this.#reserved.add(place);
    return { release: () => void this.#reserved.delete(place) };
  }

  /** @param lateMs how long after its deadline a step started, for want of a thread. */
  stepStarted(lateMs: number, nowMs: number): void {
    this.#lateness.started(lateMs, nowMs);
  }

  /** @param durationMs how long a chunk took from its beginning to its end. */
  spoken(durationMs: number): void {
    this.#chunkEstimateMs += (durationMs - this.#chunkEstimateMs) / 8;
  }

  /** With a thread to spare, steps are late because the machine is busy with other things: nobody is helped by a refusal. */
  get #isOverloaded(): boolean {
    const { refusesWhenLate, threads } = this.#options;
    if (!refusesWhenLate || this.working < threads) return false;
    return this.#lateness.isOverloaded(performance.now());
  }

  #holdings(): Holdings {
    const held = [...this.#options.working(), ...this.#reserved];
    return new Holdings(
      this.#options.places(),
      held.map(({ accountId }) => accountId),
    );
  }
}
