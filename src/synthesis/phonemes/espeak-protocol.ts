import type { ClauseReading } from './clause-reading.ts';

/** A clause to read. Answers come in the order of the requests. */
export interface ReadRequest {
  readonly id: number;
  /** espeak-ng's voice name, such as `en-us`. */
  readonly language: string;
  /** The clause, its closing mark included. */
  readonly text: string;
  /** Where the closing mark begins. */
  readonly bodyLength: number;
}

export type ThreadMessage =
  /** The first message of a thread: it can read now. */
  | { readonly type: 'ready' }
  | { readonly type: 'reading'; readonly id: number; readonly reading: ClauseReading }
  | { readonly type: 'unknown-language'; readonly id: number };
