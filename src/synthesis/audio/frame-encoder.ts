import type { OutputFormat } from '../../domain/audio.ts';

/** Turns the samples of one utterance into bytes. Most codecs remember what came before. */
export interface FrameEncoder {
  /**
   * @param samples mono at the format's rate, −1…1; louder is clipped, never wrapped; not kept.
   * @returns whole frames with memory of their own, empty while a frame is not full.
   */
  encode(samples: Float32Array): Uint8Array;
  /** Ends the utterance: the frames that were held back, the last one filled up. Nothing may follow. */
  flush(): Uint8Array;
  /** Gives up an utterance that is not flushed. Idempotent; needless after `flush`. */
  close(): void;
  /** Samples of the utterance that a listener hears from the bytes handed out so far. */
  readonly encodedSamples: number;
}

/** One family of formats. */
export interface Codec {
  /** @throws SpeechError `system_busy` when there is no memory for one encoder more. */
  open(format: OutputFormat): FrameEncoder;
  /**
   * Samples per channel that a player makes of encoded audio, at the format's rate: of whole
   * utterances, joined or not. What the codec adds before and after them counts, unless the
   * encoded audio itself says how much that is.
   */
  countSamples(encoded: Uint8Array): number;
}
