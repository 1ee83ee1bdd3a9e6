/** The port that turns phoneme symbols into PCM. */
export interface Engine {
  /**
   * Keeps a place for speech that is about to begin. To be asked before any work is done for it:
   * the holder of a place is not refused any more.
   * @throws SpeechError `system_busy` when there is none, `voice_not_ready` when the model is still on its way.
   */
  reserve(beginning: BeginningSpeech): EnginePlace;
  /**
   * Speaks one chunk. The first item is the `timing`, then `block`s in order, each as soon as it is
   * computed, then the `end`; pulling slowly pauses the work (at most one window is computed ahead of the puller).
   * Nothing is yielded after `signal` aborts: the iteration throws the signal's reason.
   * @throws SpeechError `voice_file_corrupt`, `synthesis_failed`.
   */
  synthesise(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SynthesisEvent>;
  /** Loads a model into every worker and warms it up; resolves when the first chunk would be fast. */
  load(modelFile: string): Promise<void>;
  close(): Promise<void>;
}

/** Who would begin to speak, and with what. */
export type BeginningSpeech = Pick<SynthesisRequest, 'accountId' | 'modelFile'>;

/** Room for one stream of speech, from before its text is read until the engine works on it. */
export interface EnginePlace {
  /** Gives it up. Idempotent. */
  release(): void;
}

export interface SynthesisRequest {
  /** Whose work it is: accounts that compete for the engine share it evenly. */
  readonly accountId: string;
  /** Stem of a voice file, such as `en_US-libritts_r-medium`. */
  readonly modelFile: string;
  /** Row of the speaker table; ignored by single-speaker models. */
  readonly speaker: number;
  /**
   * Speakers that are mixed, in place of `speaker` alone, which still says whose language it is. Only Kokoro's
   * can be mixed; other models speak as `speaker`.
   */
  readonly blend?: readonly SpeakerShare[];
  /**
   * Phoneme symbols, one NFD code point each, {@link MAX_SYMBOLS} at most. Symbols the model lacks are
   * skipped, with duration 0.
   */
  readonly symbols: readonly string[];
  readonly prosody: Prosody;
  /** 32-bit unsigned; the same seed and request give the same samples. */
  readonly seed: number;
  /**
   * What was reserved for it, released as soon as the work itself counts. Absent where speech goes
   * on: that is never refused.
   */
  readonly place?: EnginePlace | undefined;
  /** Which row of window sizes to use; fixed per request, so that a seed repeats its bytes. */
  readonly windows: WindowSchedule;
  /**
   * When the listener's playout buffer runs dry, in `performance.now()` ms; read whenever the pool
   * chooses its next work. The smallest goes first.
   */
  readonly deadline: () => number;
}

/**
 * About ten seconds of speech. The text stage takes quadratic time and memory, and nothing else runs on
 * its thread meanwhile: 70 ms for so many symbols, 540 ms for 800.
 */
export const MAX_SYMBOLS = 240;
/** One speaker's share of a mixture. */
export interface SpeakerShare {
  readonly speaker: number;
  /** Used as it is: those of a natural voice sum to 1. */
  readonly weight: number;
}

/** Multipliers on the model's own inference settings; 1 leaves the voice as it was trained. */
export interface Prosody {
  /** On `noise_scale`: how much timbre and pitch vary. */
  readonly variation: number;
  /** On `noise_w`: how much rhythm varies. */
  readonly rhythm: number;
  /** On speed: 1.2 speaks 20 % faster. */
  readonly pace: number;
}

/** Decoder frames per window, by position; the last size repeats. A frame is 256 samples. */
export type WindowSchedule = readonly number[];

/**
 * How a chunk is cut into windows. Small windows are heard early; each also recomputes about four
 * frames of decoder around it, and reads all weights of the flow once (`bench/engine/rtf.ts`). Above 64
 * frames that hardly counts, and a job that waits for a worker waits for the rest of a window.
 */
export const WINDOW_SCHEDULES = {
  /**
   * First audio early, and enough of it: 186 ms. Half as much is heard 5 ms sooner, costs a tenth more
   * work, and runs dry whenever the next window has to wait for another stream's.
   */
  eager: [16, 32, 64],
  /** One window less before the size settles. */
  balanced: [32, 64],
  /** Least work for each second of speech, still interruptible within a tenth of a second. */
  thrifty: [64, 96],
} as const satisfies Record<string, WindowSchedule>;

export type SynthesisEvent =
  | {
      readonly type: 'timing';
      readonly sampleRate: number;
      readonly totalSamples: number;
      /** Samples that each of the request's symbols lasts; sums to `totalSamples`. */
      readonly symbolSamples: readonly number[];
    }
  | {
      readonly type: 'block';
      /** Mono PCM, −1…1, owned by the receiver. */
      readonly samples: Float32Array;
    }
  | { readonly type: 'end'; readonly timings: SynthesisTimings };

/** Where the time of one chunk went. */
export interface SynthesisTimings {
  /** From the call to the start of the first step. */
  readonly queueMs: number;
  /** Of the text stage alone. */
  readonly textMs: number;
  /** From the call to the first block. */
  readonly firstBlockMs: number;
  /** Of all steps: close to the CPU time, as each runs on one thread without waiting. */
  readonly synthMs: number;
}
