import type { CharacterTimes, ChunkAlignment } from '../../synthesis/text/alignment.ts';

/** When each character is heard, in seconds from the start of the audio; arrays of equal length. */
export interface WireCharacterTimes {
  readonly characters: readonly string[];
  readonly character_start_times_seconds: readonly number[];
  readonly character_end_times_seconds: readonly number[];
}

/** The times of a piece of audio; null where no character starts in it. */
export interface WireTimestamps {
  /** On the text as it was sent. */
  readonly alignment: WireCharacterTimes | null;
  /** On the text as it is spoken. */
  readonly normalized_alignment: WireCharacterTimes | null;
}

/** @param alignment with times from the start of the audio. */
export function wireTimestamps(alignment: ChunkAlignment | undefined): WireTimestamps {
  return {
    alignment: alignment ? wireTimes(alignment.original) : null,
    normalized_alignment: alignment ? wireTimes(alignment.spoken) : null,
  };
}

/** The times of consecutive pieces of audio as those of the whole. */
export function wholeAlignment(pieces: readonly ChunkAlignment[]): ChunkAlignment | undefined {
  if (pieces.length === 0) return undefined;
  const parts = pieces.flatMap((piece) => piece.parts ?? []);
  return {
    original: joinTimes(pieces.map(({ original }) => original)),
    spoken: joinTimes(pieces.map(({ spoken }) => spoken)),
    ...(parts.length > 0 && { parts }),
  };
}

function joinTimes(pieces: readonly CharacterTimes[]): CharacterTimes {
  return {
    chars: pieces.flatMap(({ chars }) => chars),
    charStartTimesMs: pieces.flatMap(({ charStartTimesMs }) => charStartTimesMs),
    charDurationsMs: pieces.flatMap(({ charDurationsMs }) => charDurationsMs),
  };
}

function wireTimes({ chars, charStartTimesMs, charDurationsMs }: CharacterTimes) {
  if (chars.length === 0) return null;
  return {
    characters: chars,
    character_start_times_seconds: charStartTimesMs.map((start) => start / 1000),
    character_end_times_seconds: charStartTimesMs.map(
      (start, index) => (start + (charDurationsMs[index] ?? 0)) / 1000,
    ),
  };
}
