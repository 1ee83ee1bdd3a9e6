import type { IncomingMessage } from 'node:http';

/** What is still read of a request that has been refused. */
const MAX_DISCARDED_BYTES = 64 * 1024;
/** How long somebody who is still sending may take to read why they are refused. */
const READING_TIME_MS = 1000;

/**
 * Throws away what is still to come of the body of somebody unknown, who is being answered. When it
 * goes on for long, no more is read, and the connection is cut a little later. To be called before
 * the answer has gone out: from then on Node itself throws bodies away, without an end.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let discardedBytes = 0;
  const discard = (bytes: Buffer) => {
    discardedBytes += bytes.length;
    if (discardedBytes <= MAX_DISCARDED_BYTES) return;
    request.off('data', discard).pause();
    setTimeout(() => request.destroy(), READING_TIME_MS).unref();
  };
  request.on('data', discard);
}
