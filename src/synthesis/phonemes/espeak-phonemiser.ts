import { SpeechError } from '../../domain/errors.ts';
import type { Phonemiser } from '../text/phonemiser.ts';
import type { Pronunciation } from '../text/pronunciation.ts';
import { splitClauses } from './clauses.ts';
import { EspeakThread } from './espeak-thread.ts';
import { joinReadings } from './joined-readings.ts';

const LETTERS = /[\p{L}\p{N}]/u;

/** espeak-ng's pronunciations, with the punctuation that Piper's models hear. */
export class EspeakPhonemiser implements Phonemiser {
  readonly #thread: EspeakThread;

  /** @param thread owned by the phonemiser from here on. */
  constructor(thread: EspeakThread = new EspeakThread()) {
    this.#thread = thread;
  }

  /**
   * Words in scripts that the language does not write are read by those who do, with the sounds of
   * the language. A text with nothing to say, such as "…", has no symbols.
   *
   * @throws SpeechError `unsupported_script` for letters of which none can be said; `voice_file_corrupt` for a language that espeak-ng
   *   does not have; `synthesis_failed`; `shutting_down`. The signal's reason once it is aborted.
   */
  async pronounce(spoken: string, language: string, signal: AbortSignal): Promise<Pronunciation> {
    signal.throwIfAborted();
    const clauses = splitClauses(spoken, language);
    const readings = await this.#thread.read(
      clauses.map(({ start, end, mark }) => ({
        language,
        text: spoken.slice(start, end),
        bodyLength: (mark?.start ?? end) - start,
      })),
      signal,
    );
    const pronunciation = joinReadings(spoken, clauses, readings);
    if (pronunciation.symbols.length === 0 && LETTERS.test(spoken)) throw unsayable();
    return pronunciation;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function unsayable(): SpeechError {
  return new SpeechError(
    'unsupported_script',
    'Nothing of this text can be said: nobody here reads its script. Write it in Latin letters.',
    { param: 'text' },
  );
}
