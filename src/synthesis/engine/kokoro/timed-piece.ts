import { type Audible, audiblePart } from './audible.ts';
import type { KokoroStep, PieceTiming } from './kokoro-protocol.ts';
import { SAMPLES_PER_DURATION } from './kokoro-stages.ts';
import type { KokoroPiece } from './pieces.ts';

export type TimingStep = Extract<KokoroStep, { type: 'timing' }>;

/** A piece of which it is known how long everything in it lasts. */
export class TimedPiece {
  readonly #step: TimingStep;
  readonly #timing: PieceTiming;
  readonly #durations: readonly number[];
  readonly #audible: Audible;

  /**
   * @param step by which the timing was found.
   * @param ending of the piece.
   */
  constructor(step: TimingStep, ending: KokoroPiece['ending'], timing: PieceTiming) {
    this.#step = step;
    this.#timing = timing;
    this.#durations = Array.from(timing.durations);
    this.#audible = audiblePart(this.#durations, ending, step.pace);
  }

  /** What has it spoken. */
  get speechStep(): KokoroStep {
    const { ids, style } = this.#step;
    return { type: 'speech', ids, style, timing: this.#timing };
  }

  /** Samples that each id lasts, pads aside: what is heard of those belongs to the first and the last. */
  get idSamples(): readonly number[] {
    let end = 0;
    const counts = this.#durations.map((duration) => {
      const start = end;
      end += duration;
      return Math.max(0, this.#withinAudible(end) - this.#withinAudible(start));
    });
    const heard = counts.slice(1, -1);
    heard[0] = (heard[0] ?? 0) + (counts[0] ?? 0);
    heard[heard.length - 1] = (heard.at(-1) ?? 0) + (counts.at(-1) ?? 0);
    return heard.map((units) => units * SAMPLES_PER_DURATION);
  }

  /** The part of the model's speech that is handed out. */
  heardOf(samples: Float32Array): Float32Array {
    const { start, end } = this.#audible;
    return samples.subarray(start * SAMPLES_PER_DURATION, end * SAMPLES_PER_DURATION);
  }

  #withinAudible(unit: number): number {
    return Math.min(Math.max(unit, this.#audible.start), this.#audible.end);
  }
}
