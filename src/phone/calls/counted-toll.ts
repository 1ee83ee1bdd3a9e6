import type { AdmittedChunk, ChunkToll } from '../../synthesis/speech/speaker.ts';

/** Counts the characters of the chunks that were charged. */
export class CountedToll implements ChunkToll {
  readonly #toll: ChunkToll;
  #characters = 0;
  #open = 0;
  #onSettled: (() => void) | undefined;

  constructor(toll: ChunkToll) {
    this.#toll = toll;
  }

  get characters(): number {
    return this.#characters;
  }

  async enter(
    characters: number,
    surplus: number,
    isWaiting?: () => boolean,
  ): Promise<AdmittedChunk> {
    const chunk = await this.#toll.enter(characters, surplus, isWaiting);
    this.#open++;
    let isHeard = false;
    return {
      hear: () => {
        if (!isHeard) this.#characters += characters;
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
