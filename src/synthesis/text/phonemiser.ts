import type { Pronunciation } from './pronunciation.ts';

/** The port for grapheme-to-phoneme conversion. Implementations run off the main thread. */
export interface Phonemiser {
  /**
   * @param spoken text after normalisation, one chunk.
   * @param language the phonemiser's own voice name, such as `en-us` (a Piper config's `espeak.voice`).
   * @throws SpeechError `unsupported_script` for letters of which none can be said.
   */
  pronounce(spoken: string, language: string, signal: AbortSignal): Promise<Pronunciation>;
  close(): Promise<void>;
}
