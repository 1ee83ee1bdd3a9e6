/** How a carrier plays what it is sent. */
export interface PlayoutRules {
  /** It plays in frames of this length; one that has begun is finished, even after a clear. */
  readonly frameMs: number;
  /** It waits this long after the first audio, as a jitter buffer does; 0 where it plays at once. */
  readonly prefillMs: number;
  /** A message that comes while this much waits to be played is dropped. */
  readonly capacityMs: number;
  /** What becomes of marks that a clear drops. */
  readonly clearedMarks: 'echoed at once' | 'forgotten';
  /** Where it asks for a pause, and where for more. */
  readonly flow?: { readonly offMs: number; readonly onMs: number };
}

/** What happens at the carrier's ear; times are of the call. */
export type PlayoutEvent =
  /** A mark was come to, or dropped by a clear and answered all the same. */
  | {
      readonly type: 'mark';
      readonly name: string;
      readonly isCleared: boolean;
      readonly atMs: number;
    }
  /** A clear was carried out. */
  | { readonly type: 'cleared'; readonly atMs: number }
  /** Playing began after silence. */
  | { readonly type: 'started'; readonly atMs: number }
  /** Nothing is left to play. */
  | { readonly type: 'drained'; readonly atMs: number }
  /** The buffer is full, or has room again. */
  | { readonly type: 'flow'; readonly isOpen: boolean; readonly atMs: number };

/** A stretch of audio that was heard without a break. */
export interface HeardRun {
  readonly startMs: number;
  readonly endMs: number;
  /** Encoded, in the order in which it was heard. */
  readonly audio: readonly Uint8Array[];
  /** Why it ended: nothing was left, somebody cut it off, or the call was over. */
  readonly end: 'dry' | 'cut' | 'hang-up';
}

/** What one clear did. */
export interface HeardClear {
  readonly atMs: number;
  /** When the old audio was heard no more; undefined when none was playing. */
  readonly silentAtMs: number | undefined;
  /** Audio that will never be heard. */
  readonly droppedMs: number;
}
