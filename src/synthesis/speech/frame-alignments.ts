import type { CharacterTimes, ChunkAlignment } from '../text/alignment.ts';

/** Whether times count from the start of each chunk, or from the start of the context. */
export type AlignmentStyle =
  /** The chunk's first frame carries all of its times, counted from the chunk (PROTOCOL §1). */
  | 'chunk'
  /** Each frame carries the times of its own audio, counted from the context (`sync_alignment`). */
  | 'synchronised';

/** Deals the times of one chunk out to the frames of its audio. */
export class FrameAlignments {
  readonly #style: AlignmentStyle;
  readonly #chunk: ChunkAlignment;
  readonly #chunkStartMs: number;
  #dealtToMs = 0;

  /** @param chunkStartMs audio of the context before this chunk. */
  constructor(style: AlignmentStyle, chunk: ChunkAlignment, chunkStartMs: number) {
    this.#style = style;
    this.#chunk = chunk;
    this.#chunkStartMs = chunkStartMs;
  }

  /**
   * What goes with the next frame; undefined when nothing does.
   * @param endMs where in the chunk the frame's audio ends; infinite for the last one.
   */
  next(endMs: number): ChunkAlignment | undefined {
    const startMs = this.#dealtToMs;
    this.#dealtToMs = endMs;
    if (this.#style === 'chunk') return startMs === 0 ? this.#chunk : undefined;
    const original = this.#part(this.#chunk.original, startMs, endMs);
    const spoken = this.#part(this.#chunk.spoken, startMs, endMs);
    return original.chars.length + spoken.chars.length > 0 ? { original, spoken } : undefined;
  }

  #part(times: CharacterTimes, startMs: number, endMs: number): CharacterTimes {
    // Starts never fall, so the characters of a frame are neighbours.
    const first = times.charStartTimesMs.findIndex((start) => start >= startMs);
    const beyond = times.charStartTimesMs.findIndex((start) => start >= endMs);
    const from = first === -1 ? times.chars.length : first;
    const to = beyond === -1 ? times.chars.length : beyond;
    return {
      chars: times.chars.slice(from, to),
      charStartTimesMs: times.charStartTimesMs
        .slice(from, to)
        .map((start) => start + this.#chunkStartMs),
      charDurationsMs: times.charDurationsMs.slice(from, to),
    };
  }
}

/** Takes `samples` off the front of a row of durations. */
export function withoutLead(durations: readonly number[], samples: number): number[] {
  let left = samples;
  return durations.map((duration) => {
    const taken = Math.min(left, duration);
    left -= taken;
    return duration - taken;
  });
}

/** The times of a frame of a dialogue, marked as those of one of its parts. */
export function ofPart(
  alignment: ChunkAlignment | undefined,
  partIndex: number | undefined,
): ChunkAlignment | undefined {
  if (!alignment || partIndex === undefined) return alignment;
  const length = alignment.original.chars.length;
  return { ...alignment, parts: [{ index: partIndex, length }] };
}

/** The times of two neighbouring stretches of audio that travel in one frame. */
export function joinAlignments(
  first: ChunkAlignment | undefined,
  second: ChunkAlignment | undefined,
): ChunkAlignment | undefined {
  if (!first || !second) return first ?? second;
  return {
    original: joinTimes(first.original, second.original),
    spoken: joinTimes(first.spoken, second.spoken),
    ...(first.parts && { parts: [...first.parts, ...(second.parts ?? [])] }),
  };
}

function joinTimes(first: CharacterTimes, second: CharacterTimes): CharacterTimes {
  return {
    chars: [...first.chars, ...second.chars],
    charStartTimesMs: [...first.charStartTimesMs, ...second.charStartTimesMs],
    charDurationsMs: [...first.charDurationsMs, ...second.charDurationsMs],
  };
}
