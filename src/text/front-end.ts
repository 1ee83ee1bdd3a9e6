import type { Normaliser } from './normaliser/normaliser.ts';
import type { Phonemiser } from './phonemiser.ts';
import type { Pronunciation, TextMap } from './pronunciation.ts';

/** A chunk as the engine reads it, and the way back to the text as the client sent it. */
export interface PreparedChunk {
  readonly pronunciation: Pronunciation;
  /** From the chunk's text to `pronunciation.spoken`. */
  readonly map: TextMap;
}

export interface ReadingStyle {
  /** ISO 639-1: whose numbers and dates the text is written in. */
  readonly language: string;
  /** The phonemiser's voice name, such as `en-us`. */
  readonly espeakVoice: string;
  /** Whether numbers, dates and the like are written out first. */
  readonly normalise: boolean;
}

/** @returns undefined for a language whose text is spoken as it is written. */
export type NormaliserOf = (language: string) => Normaliser | undefined;

/** Chunk → phonemes: the normaliser of the chunk's language, then the phonemiser. */
export class FrontEnd {
  readonly #phonemiser: Phonemiser;
  readonly #normaliserOf: NormaliserOf;

  constructor(phonemiser: Phonemiser, normaliserOf: NormaliserOf) {
    this.#phonemiser = phonemiser;
    this.#normaliserOf = normaliserOf;
  }

  /** @throws what the phonemiser throws; the signal's reason once it is aborted. */
  async prepare(chunk: string, style: ReadingStyle, signal: AbortSignal): Promise<PreparedChunk> {
    signal.throwIfAborted();
    const normaliser = style.normalise ? this.#normaliserOf(style.language) : undefined;
    const map = normaliser?.normalise(chunk) ?? unchanged(chunk);
    const pronunciation = await this.#phonemiser.pronounce(map.spoken, style.espeakVoice, signal);
    return { pronunciation, map };
  }
}

function unchanged(text: string): TextMap {
  const whole = {
    originalStart: 0,
    originalEnd: text.length,
    spokenStart: 0,
    spokenEnd: text.length,
  };
  return { original: text, spoken: text, segments: text === '' ? [] : [whole] };
}
