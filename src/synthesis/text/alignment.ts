import type { ChunkPiece } from './chunk-pieces.ts';
import { clusterBounds } from './grapheme-clusters.ts';
import type { Pronunciation, TextMap, TextSegment } from './pronunciation.ts';

/** When each character of a piece of a chunk is heard. Arrays of equal length, integer milliseconds. */
export interface CharacterTimes {
  /** Grapheme clusters, in logical order. */
  readonly chars: readonly string[];
  readonly charStartTimesMs: readonly number[];
  /**
   * Each lasts until the next one starts; the sum is the piece's length. A character that is spoken
   * beyond its piece lasts until the piece's end; a piece without characters has none of its time.
   */
  readonly charDurationsMs: readonly number[];
}

export interface ChunkAlignment {
  /** On the text as sent, without the white space around the chunk, and one space after it. */
  readonly original: CharacterTimes;
  /** On the text as spoken, likewise, with one more space before the chunk. */
  readonly spoken: CharacterTimes;
  /** Of a dialogue: to which of its parts the characters of `original` belong, in order. */
  readonly parts?: readonly AlignedPart[];
}

/** A stretch of characters that belong to one part of a dialogue. */
export interface AlignedPart {
  /** The part's place in the dialogue, from 0. */
  readonly index: number;
  /** In characters. */
  readonly length: number;
}

/** Sample positions at each UTF-16 index of a text, its end included; non-decreasing. */
type Timeline = Float64Array;

/**
 * Turns how long each symbol lasts into when each character is heard. The spaces around a chunk
 * are those of the service: every chunk's text ends with one, and the spoken text begins with one
 * that lasts no time, so that the first character starts with the sound. The characters of a chunk's
 * pieces, joined, are those of the chunk.
 *
 * @param symbolSamples how many samples each symbol of the pronunciation lasts.
 * @param samplesBefore audio of the context before this piece: times are rounded on the context's
 *   clock, so that the pieces' lengths add up to the audio's, to the millisecond.
 */
export function alignPiece(
  { pronunciation, map, startsChunk, endsChunk }: ChunkPiece,
  symbolSamples: readonly number[],
  sampleRate: number,
  samplesBefore = 0,
): ChunkAlignment {
  const totalSamples = symbolSamples.reduce((sum, samples) => sum + samples, 0);
  const spoken = timeSpoken(pronunciation, symbolSamples, totalSamples);
  const original = timeOriginal(map, spoken);
  const clockMs = (samples: number) => Math.round((samples / sampleRate) * 1000);
  const toMs = (samples: number) => clockMs(samplesBefore + samples) - clockMs(samplesBefore);
  const totalMs = toMs(totalSamples);
  const edges = { startsChunk, endsChunk };
  const lead = startsChunk ? [' '] : [];
  return {
    original: characterTimes(map.original, Array.from(original, toMs), totalMs, {
      ...edges,
      lead: [],
    }),
    spoken: characterTimes(map.spoken, Array.from(spoken, toMs), totalMs, { ...edges, lead }),
  };
}

/** A symbol's time is shared evenly by the characters that it voices. */
function timeSpoken(
  { spoken, starts, ends }: Pronunciation,
  symbolSamples: readonly number[],
  totalSamples: number,
): Timeline {
  const lengths = new Float64Array(spoken.length);
  symbolSamples.forEach((samples, symbol) => {
    const start = Math.min(starts[symbol] ?? 0, spoken.length - 1);
    const end = Math.max(ends[symbol] ?? 0, start + 1);
    for (let index = Math.max(start, 0); index < end; index++) {
      lengths[index] = (lengths[index] ?? 0) + samples / (end - start);
    }
  });
  const timeline = new Float64Array(spoken.length + 1);
  lengths.forEach((length, index) => {
    timeline[index + 1] = Math.min((timeline[index] ?? 0) + length, totalSamples);
  });
  if (spoken.length > 0) timeline[spoken.length] = totalSamples;
  return timeline;
}

function timeOriginal({ original, spoken, segments }: TextMap, spokenTimes: Timeline): Timeline {
  const timeline = new Float64Array(original.length + 1);
  for (const segment of segments) {
    const { originalStart, originalEnd, spokenStart, spokenEnd } = segment;
    const isKept =
      original.slice(originalStart, originalEnd) === spoken.slice(spokenStart, spokenEnd);
    for (let index = originalStart + 1; index <= originalEnd; index++) {
      timeline[index] = isKept
        ? (spokenTimes[spokenStart + index - originalStart] ?? 0)
        : timeWithin(segment, index, spokenTimes);
    }
    // What is spoken and not written counts to the character before it, or else after it.
    if (originalStart === originalEnd && originalStart > 0) {
      timeline[originalStart] = spokenTimes[spokenEnd] ?? 0;
    }
  }
  return timeline;
}

/** The characters of a replaced stretch share the time of what is spoken for it. */
function timeWithin(segment: TextSegment, index: number, spokenTimes: Timeline): number {
  const start = spokenTimes[segment.spokenStart] ?? 0;
  const end = spokenTimes[segment.spokenEnd] ?? 0;
  const share = (index - segment.originalStart) / (segment.originalEnd - segment.originalStart);
  return start + (end - start) * share;
}

interface Edges extends Pick<ChunkPiece, 'startsChunk' | 'endsChunk'> {
  /** What the service puts before the text. */
  readonly lead: readonly string[];
}

/** @param timesMs at each UTF-16 index of `text`, its end included. */
function characterTimes(
  text: string,
  timesMs: readonly number[],
  totalMs: number,
  { startsChunk, endsChunk, lead }: Edges,
): CharacterTimes {
  const offset = startsChunk ? text.length - text.trimStart().length : 0;
  const body = (endsChunk ? text.trimEnd() : text).slice(offset);
  const tail = endsChunk ? [' '] : [];
  const bounds = clusterBounds(body);
  const chars = bounds.slice(1).map((end, index) => body.slice(bounds[index], end));
  const innerStarts = bounds.map((bound) => timesMs[offset + bound] ?? totalMs);
  // The white space before a text has no character of its own: the first one starts with the sound.
  innerStarts[0] = 0;
  // The last bound is where the space after the text starts.
  const charStartTimesMs = [
    ...lead.map(() => 0),
    ...innerStarts.slice(0, chars.length + tail.length),
  ];
  return {
    chars: [...lead, ...chars, ...tail],
    charStartTimesMs,
    charDurationsMs: charStartTimesMs.map(
      (start, index) => (charStartTimesMs[index + 1] ?? totalMs) - start,
    ),
  };
}
