import type { OutputFormat } from '../../domain/audio.ts';
import type { Voice } from '../../domain/voice.ts';
import type { Delivery, Engine } from '../engine/engine.ts';
import type { FrontEnd, PronunciationDictionaries } from '../text/front-end.ts';
import type { AlignmentStyle } from './frame-alignments.ts';
import type { SpeakingTurn } from './speaking-turns.ts';
import type { ChunkWindows } from './window-schedules.ts';

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
   * @param characters that the chunk costs.
   * @param surplus those of them that it costs beyond its text as written: see `spokenSurplus`.
   * @throws SpeechError when it may not be spoken; the reason of `standing.signal` once it is aborted.
   */
  enter(characters: number, surplus: number, standing?: ChunkStanding): Promise<AdmittedChunk>;
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

/** How one context speaks, fixed when its first chunk is cut. */
export interface SpeechStyle {
  /** Who has it spoken. */
  readonly accountId: string;
  readonly voice: Voice;
  readonly format: OutputFormat;
  readonly delivery: Delivery;
  /** Base of every chunk's seed; 32-bit unsigned. */
  readonly seed: number;
  /** Whether numbers, dates and the like are written out before they are phonemised. */
  readonly normalise: boolean;
  readonly windows: ChunkWindows;
  readonly alignment: AlignmentStyle;
  /** Whether a listener who waits is spared the silence that voices begin with. */
  readonly trimsLeadingSilence: boolean;
  /** What each chunk must pass before it is spoken; what it pays for is up to its owner. */
  readonly meter?: ChunkMeter;
  /** The context's own among those of its connection; absent where all may always speak. */
  readonly turn?: SpeakingTurn;
  /** Whether it was let in for good, so that no chunk of it is refused when the engine is full. */
  readonly isAdmitted?: boolean;
  /** See `Playout`. */
  readonly aheadMs?: () => number;
  /** Numbers the chunks of all contexts of a connection; without it, each context counts from 1. */
  readonly numberChunk?: () => number;
  /** Rules for words that the voice would say wrong, in order; a promise while they are read. */
  readonly dictionaries?:
    | PronunciationDictionaries
    | Promise<PronunciationDictionaries>
    | undefined;
}

/** Gives each chunk of a context noise of its own. Knuth's multiplicative step keeps seeds apart. */
export function chunkSeed(seed: number, chunkIndex: number): number {
  return (seed + Math.imul(chunkIndex, 0x9e3779b1)) >>> 0;
}
