import type { IncomingMessage } from 'node:http';
import { SpeechError } from '../../domain/errors.ts';

/** How slowly somebody may send. */
export interface SlowestRate {
  readonly bytesPerS: number;
  /** Over which it is measured: a network may pause for a moment. */
  readonly windowMs: number;
}

/**
 * Runs work that reads a request's body, and gives it up when the body comes too slowly. Time that the
 * server takes, while it has paused the request, does not count.
 *
 * @param read is given a signal that tells it to stop.
 * @throws SpeechError `client_too_slow`, or what the work throws.
 */
export async function unlessTooSlow<T>(
  message: IncomingMessage,
  { bytesPerS, windowMs }: SlowestRate,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  let receivedBytes = message.socket.bytesRead;
  const timer = setInterval(() => {
    const arrivedBytes = message.socket.bytesRead - receivedBytes;
    receivedBytes += arrivedBytes;
    if (message.isPaused() || arrivedBytes >= (bytesPerS * windowMs) / 1000) return;
    slow.abort(tooSlow(bytesPerS));
  }, windowMs);
  const aborted = new Promise<never>((_, reject) => {
    slow.signal.addEventListener('abort', () => reject(slow.signal.reason), { once: true });
  });
  try {
    return await Promise.race([read(slow.signal), aborted]);
  } finally {
    clearInterval(timer);
  }
}

function tooSlow(bytesPerS: number): SpeechError {
  return new SpeechError(
    'client_too_slow',
    `The upload came at less than ${bytesPerS / 1024} KiB a second and was given up. Send it over a faster connection.`,
  );
}
