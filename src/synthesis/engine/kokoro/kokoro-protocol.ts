/** A pure piece of work: the same step gives the same result in any thread. */
export type KokoroStep =
  | {
      readonly type: 'timing';
      /** Pads included. */
      readonly ids: readonly number[];
      readonly style: Float32Array;
      readonly pace: number;
    }
  | {
      readonly type: 'speech';
      readonly ids: readonly number[];
      readonly style: Float32Array;
      readonly timing: PieceTiming;
    };

/** What the first stage finds out, and the second one reads. */
export interface PieceTiming {
  /** One for each id, in units of 25 ms. */
  readonly durations: Float32Array;
  /** [channels, ids]. */
  readonly features: Float32Array;
}

/** What a thread is told when it starts. */
export interface KokoroWorkerData {
  /** Folder that holds the model's files. */
  readonly directory: string;
  /** Cores that one step may use. */
  readonly threads: number;
}

export type KokoroResult =
  | { readonly type: 'timing'; readonly timing: PieceTiming; readonly computeMs: number }
  | { readonly type: 'speech'; readonly samples: Float32Array; readonly computeMs: number };

export type FromKokoroWorker =
  /** The first message of a thread: it can speak now. */
  | { readonly type: 'ready' }
  /** The first message of a thread that cannot use the model's files. */
  | { readonly type: 'unusable'; readonly reason: string }
  | KokoroResult
  | { readonly type: 'failed'; readonly reason: string };
