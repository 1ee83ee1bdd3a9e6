import { type LatencyLevel, policyForLevel } from '../../src/synthesis/text/chunk-policy.ts';
import type { Chunk, Chunker } from '../../src/synthesis/text/chunker.ts';
import { type MarkedChunk, MarkedChunker } from '../../src/synthesis/text/markup/marked-chunker.ts';

/** Has a fragment read to its end at once. @returns the chunks that are complete then. */
export function pushAll(chunker: Chunker, fragment: string): readonly Chunk[] {
  return [...chunker.push(fragment)].flat();
}

/** The chunks with something to say of a text that comes in one fragment and is then flushed. */
export function cutText(
  text: string,
  level: LatencyLevel,
  language: string,
): readonly MarkedChunk[] {
  const chunker = new MarkedChunker(policyForLevel(level), language);
  const outputs = [...[...chunker.push(text)].flat(), ...chunker.flush()];
  return outputs.flatMap((output) =>
    output.type === 'chunk' && output.isSpeakable ? [output] : [],
  );
}
