import type {
  AdmittedChunk,
  ChunkCost,
  ChunkMeter,
  ChunkStanding,
} from '../../synthesis/speech/speaker.ts';

/** Counts the characters of the chunks that were charged. */
export class CountingMeter implements ChunkMeter {
  readonly #meter: ChunkMeter;
  #characters = 0;
  #open = 0;
  #onSettled: (() => void) | undefined;

  constructor(meter: ChunkMeter) {
    this.#meter = meter;
  }

  get characters(): number {
    return this.#characters;
  }

  async enter(cost: ChunkCost, standing?: ChunkStanding): Promise<AdmittedChunk> {
    const chunk = await this.#meter.enter(cost, standing);
    this.#open++;
    let isHeard = false;
    return {
      hear: () => {
        if (!isHeard) this.#characters += cost.characters;
        isHeard = true;
        chunk.hear();
      },
      end: async () => {
        try {
          await chunk.end();
        } finally {
          if (--this.#open === 0) this.#onSettled?.();
        }
      },
    };
  }

  /** Resolves when every chunk that was begun has been charged or given up. */
  async settled(): Promise<void> {
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
  }
}
