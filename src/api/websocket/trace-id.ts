/**
 * By what a message can be found in the log: the id of its connection, which the answer to the
 * handshake carried as `x-trace-id`, and the number of the chunk that it speaks.
 *
 * @param chunkNumber counted from 1; 0 for what is about no chunk.
 */
export function traceIdOf(connectionId: string, chunkNumber: number): string {
  return `${connectionId}-${chunkNumber}`;
}
