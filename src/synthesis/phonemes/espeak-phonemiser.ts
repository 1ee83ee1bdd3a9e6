import type { Phonemiser } from '../text/phonemiser.ts';
import type { Pronunciation } from '../text/pronunciation.ts';
import { assertReadable } from '../text/script.ts';
import { splitClauses } from './clauses.ts';
import { EspeakThread } from './espeak-thread.ts';
import { joinReadings } from './joined-readings.ts';

/** espeak-ng's pronunciations, with the punctuation that Piper's models hear. */
export class EspeakPhonemiser implements Phonemiser {
  readonly #thread: EspeakThread;

  /** @param thread owned by the phonemiser from here on. */
  constructor(thread: EspeakThread = new EspeakThread()) {
    this.#thread = thread;
  }

  /**
   * A text with nothing to say, such as "…", has no symbols.
   *
   * @throws SpeechError `unsupported_script`; `voice_file_corrupt` for a language that espeak-ng
   *   does not have; `synthesis_failed`; `shutting_down`. The signal's reason once it is aborted.
   */
  async pronounce(spoken: string, language: string, signal: AbortSignal): Promise<Pronunciation> {
    signal.throwIfAborted();
    assertReadable(spoken, language);
    const clauses = splitClauses(spoken, language);
    const readings = await this.#thread.read(
      clauses.map(({ start, end, mark }) => ({
        language,
        text: spoken.slice(start, end),
        bodyLength: (mark?.start ?? end) - start,
      })),
      signal,
    );
    return joinReadings(spoken, clauses, readings);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
