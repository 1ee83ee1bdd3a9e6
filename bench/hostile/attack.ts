import { percentile } from '../latency/statistics.ts';

/** What an attack needs to know of the server; crosses a process border as JSON. */
export interface AttackTarget {
  readonly port: number;
  /** Of an account that is not the one whose call is heard. */
  readonly apiKey: string;
  readonly voiceId: string;
  readonly seconds: number;
  /** How many streams the server says that it can speak at once. */
  readonly ratedStreams: number;
  readonly databaseFile: string;
}

/** What an attack's process tells at its end. */
export interface AttackReport extends AttackCounts {
  /** The longest that it was held up itself; what it measures may be late by so much. */
  readonly loopDelayMs: number | null;
}

/** What became of an attack's requests. */
interface AttackCounts {
  readonly requests: number;
  readonly refusals: number;
  /** From the last byte that was sent to the refusal: of 99 in a hundred, and the slowest. */
  readonly refusalP99Ms: number | null;
  readonly slowestRefusalMs: number | null;
}

/** Counts what the server answers. */
export class AttackLog {
  readonly #untilMs: number;
  #requests = 0;
  readonly #refusalsMs: number[] = [];

  constructor({ seconds }: AttackTarget) {
    this.#untilMs = performance.now() + 1000 * seconds;
  }

  get isOver(): boolean {
    return performance.now() >= this.#untilMs;
  }

  get leftMs(): number {
    return Math.max(0, this.#untilMs - performance.now());
  }

  get report(): AttackCounts {
    return {
      requests: this.#requests,
      refusals: this.#refusalsMs.length,
      refusalP99Ms: percentile(this.#refusalsMs, 0.99),
      slowestRefusalMs: percentile(this.#refusalsMs, 1),
    };
  }

  sent(): void {
    this.#requests++;
  }

  refused(afterMs: number): void {
    this.#refusalsMs.push(afterMs);
  }
}

/** Works against a server until the log says that it is over. */
export type Attack = (target: AttackTarget, log: AttackLog) => Promise<void>;

/** Runs so many attackers side by side, each again and again until the end. */
export async function untilOver(
  log: AttackLog,
  attackers: number,
  once: (attacker: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: attackers }, async (_, attacker) => {
      while (!log.isOver) await once(attacker);
    }),
  );
}
