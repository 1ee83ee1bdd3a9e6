/** Rates that the model hears, and how many samples it takes at once: 32 ms. */
export const SILERO_WINDOWS = { 8000: 256, 16000: 512 } as const;
export type SileroRate = keyof typeof SILERO_WINDOWS;

export type ToThread =
  | {
      readonly type: 'window';
      readonly listenerId: number;
      readonly sampleRate: SileroRate;
      /** One window's worth. */
      readonly samples: Float32Array;
    }
  /** Nothing more comes from the listener. Not answered. */
  | { readonly type: 'forget'; readonly listenerId: number };

export type FromThread =
  /** The first message of a thread: it can hear now. */
  | { readonly type: 'ready' }
  /** The first message of a thread that never will. */
  | { readonly type: 'failed'; readonly reason: string }
  /** The answer to a window; windows are answered in order. */
  | {
      readonly type: 'heard';
      readonly listenerId: number;
      readonly probability: number;
    };
