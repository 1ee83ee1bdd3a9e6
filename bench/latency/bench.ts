import type { ServerProcess } from './server-process.ts';
import type { SpeechTarget } from './speech-socket.ts';

/** What every job gets: a warm server, whom to let speak, and how often. */
export interface Bench {
  readonly server: ServerProcess;
  /** Samples of each row. */
  readonly samples: number;
  readonly target: (level: number) => SpeechTarget;
}

/** Prints its tables and returns what goes into the JSON file. */
export type Job = (bench: Bench) => Promise<unknown>;

/** `optimize_streaming_latency`: none, half, three quarters, maximum, maximum without the normaliser. */
export const LEVELS = [0, 1, 2, 3, 4] as const;

/** What a conversation can bear until the first audio. */
export const TARGET_MS = 400;
