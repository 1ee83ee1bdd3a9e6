import { SpeechError } from '../../src/domain/errors.ts';
import type { Phonemiser } from '../../src/synthesis/text/phonemiser.ts';
import type { Pronunciation } from '../../src/synthesis/text/pronunciation.ts';

/** Cuneiform, which nobody reads. */
const UNSAYABLE = /^\s*[\u{12000}-\u{123ff}][\s\u{12000}-\u{123ff}]*$/u;

/** Every letter is its own phoneme: with `ToneEngine`, what was spoken can be read back as text. */
export class LetterPhonemiser implements Phonemiser {
  async pronounce(spoken: string, _language: string, signal: AbortSignal): Promise<Pronunciation> {
    await Promise.resolve();
    signal.throwIfAborted();
    if (UNSAYABLE.test(spoken)) throw new SpeechError('unsupported_script', 'Cannot be said.');
    const symbols = [...spoken];
    const ends: number[] = [];
    let end = 0;
    for (const symbol of symbols) {
      end += symbol.length;
      ends.push(end);
    }
    return {
      spoken,
      symbols,
      starts: ends.map((value, i) => value - (symbols[i]?.length ?? 0)),
      ends,
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
