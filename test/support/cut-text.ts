import { type LatencyLevel, policyForLevel } from '../../src/synthesis/text/chunk-policy.ts';
import { type Chunk, Chunker } from '../../src/synthesis/text/chunker.ts';

/** Has a fragment read to its end at once. @returns the chunks that are complete then. */
export function pushAll(chunker: Chunker, fragment: string): readonly Chunk[] {
  return [...chunker.push(fragment)].flat();
}

/** The chunks with something to say of a text that comes in one fragment and is then flushed. */
export function cutText(text: string, level: LatencyLevel, language: string): readonly Chunk[] {
  const chunker = new Chunker(policyForLevel(level), language);
  return [...pushAll(chunker, text), ...chunker.flush()].filter(({ isSpeakable }) => isSpeakable);
}
