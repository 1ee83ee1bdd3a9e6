import { BoundedMap } from '../../domain/bounded-map.ts';
import { SpeechError } from '../../domain/errors.ts';

/**
 * A value that was read this recently is not read again. A crowd that comes at once then does not
 * queue for storage; a change by another process takes effect this much later.
 */
const FRESH_MS = 1_000;
/** How long a speaker waits for an answer while one is known. */
const ANSWER_LIMIT_MS = 250;
/** How long what was known once may be used: as long as speech goes on without storage. */
const GRACE_MS = 600_000;
/** Values that are kept; the one that was read longest ago makes room. */
const MOST_KEPT = 10_000;

/**
 * Reads values where they are kept, at most once a second, and falls back on what was read last while
 * that place fails or does not answer in time.
 */
export class LastKnown<Value> {
  readonly #now: () => number;
  readonly #known = new BoundedMap<string, { readonly value: Value; readonly readAtMs: number }>(
    MOST_KEPT,
  );
  /** Counts calls of `forget`, so that an answer from before one of them is not kept. */
  #generation = 0;

  /** @param now milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param read undefined is no value, and is not kept; what is read wins whenever it comes in time; a `SpeechError` of it is an answer too.
   * @throws what `read` throws, when nothing is known.
   */
  async read(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.#recall(key);
    if (known && this.#now() - known.readAtMs < FRESH_MS) return known.value;
    const reading = this.#remembering(key, read);
    if (!known) return reading;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Value>((resolve) => {
      timer = setTimeout(() => resolve(known.value), ANSWER_LIMIT_MS);
    });
    const answer = reading.catch((thrown: unknown) => {
      if (thrown instanceof SpeechError) throw thrown;
      return known.value;
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** To be called behind each change by this process, which then takes effect at once. */
  forget(): void {
    this.#generation++;
    this.#known.clear();
  }

  async #remembering(key: string, read: () => Promise<Value>): Promise<Value> {
    const generation = this.#generation;
    try {
      const value = await read();
      this.#known.delete(key);
      if (value === undefined || generation !== this.#generation) return value;
      this.#known.set(key, { value, readAtMs: this.#now() });
      return value;
    } catch (thrown) {
      if (thrown instanceof SpeechError) this.#known.delete(key);
      throw thrown;
    }
  }

  #recall(key: string) {
    const known = this.#known.get(key);
    return known && this.#now() - known.readAtMs <= GRACE_MS ? known : undefined;
  }
}
