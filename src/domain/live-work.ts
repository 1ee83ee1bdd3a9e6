import { SpeechError } from './errors.ts';

/** What a shutdown lets finish: a stream, a request, a call. */
export interface LiveWork {
  /** Whether it still has something to do that is worth waiting for. */
  readonly busy: boolean;
  /** Ends it from our side; the other side is told why. Idempotent. */
  fail(error: SpeechError): void;
}

/** Where work is registered for as long as it lasts. */
export interface LiveWorkRegistry {
  add(work: LiveWork): void;
  delete(work: LiveWork): void;
}

export function shuttingDown(): SpeechError {
  return new SpeechError('shutting_down', 'The server is shutting down. Connect again.');
}
