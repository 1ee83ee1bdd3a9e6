import loadEspeak from '@echogarden/espeak-ng-emscripten';
import { ClauseReader } from '../../src/synthesis/phonemes/clause-reader.ts';
import { splitClauses } from '../../src/synthesis/phonemes/clauses.ts';
import { Espeak } from '../../src/synthesis/phonemes/espeak.ts';
import { joinReadings } from '../../src/synthesis/phonemes/joined-readings.ts';
import { normaliserFor } from '../../src/synthesis/text/normaliser/registry.ts';

/** The server's own way from a text to phoneme symbols, in this thread. */
export class SpokenText {
  readonly #reader: ClauseReader;

  private constructor(reader: ClauseReader) {
    this.#reader = reader;
  }

  static async open(): Promise<SpokenText> {
    return new SpokenText(new ClauseReader(new Espeak(await loadEspeak())));
  }

  /**
   * @param espeakVoice such as `en-us`; its first part is the language whose numbers are written out.
   * @returns one NFD code point each.
   */
  symbols(text: string, espeakVoice: string): readonly string[] {
    const [language = ''] = espeakVoice.split('-');
    const spoken = normaliserFor(language)?.normalise(text).spoken ?? text;
    const clauses = splitClauses(spoken, espeakVoice);
    const readings = clauses.map(({ start, end, mark }) => {
      const bodyLength = (mark?.start ?? end) - start;
      const reading = this.#reader.read(spoken.slice(start, end), bodyLength, espeakVoice);
      if (!reading) throw new Error(`espeak-ng has no voice named ${espeakVoice}.`);
      return reading;
    });
    return joinReadings(spoken, clauses, readings).symbols;
  }
}
