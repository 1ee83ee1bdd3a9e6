import type { Engine } from '../engine/engine.ts';
import type { FrontEnd } from '../text/front-end.ts';

/** The parts that turn chunks into blocks, shared by every context of the process. */
export interface Speaker {
  readonly frontEnd: FrontEnd;
  readonly engine: Engine;
  /** Milliseconds that never go back, such as `performance.now()`. */
  readonly now: () => number;
}

/** Lets a chunk be spoken, or refuses. */
export interface ChunkMeter {
  /**
   * @throws SpeechError when it may not be spoken; the reason of `standing.signal` once it is aborted.
   */
  enter(cost: ChunkCost, standing?: ChunkStanding): Promise<AdmittedChunk>;
}

export interface ChunkCost {
  readonly characters: number;
  /** Those of them that it costs beyond its text as written: see `spokenSurplus`. */
  readonly surplus: number;
  /** Who speaks it. */
  readonly voiceId: string;
}

/** How a chunk stands among others of its account. */
export interface ChunkStanding {
  /** Whether it stands still meanwhile, and should not count as being spoken. */
  readonly isWaiting: () => boolean;
  /** Whether its context is being heard: it then waits for its turn where another would be refused. */
  readonly isContinuation: boolean;
  /** Aborts when nobody wants it any more. */
  readonly signal: AbortSignal;
}

/** A chunk that may be spoken. */
export interface AdmittedChunk {
  /** To be called when its first audio is sent: from then on it is charged, even after a crash. */
  hear(): void;
  /** To be called once, when it has been spoken or given up. Charges nothing that was not heard. */
  end(): Promise<void>;
}
