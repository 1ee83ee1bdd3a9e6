import { overridePhonemes } from './dictionary/phoneme-overrides.ts';
import type { RuleIndex } from './dictionary/rule-index.ts';
import { applyRules } from './dictionary/ruled-text.ts';
import type { ChunkMarkup } from './markup/written-text.ts';
import type { Normaliser } from './normaliser/normaliser.ts';
import type { Phonemiser } from './phonemiser.ts';
import type { Pronunciation, TextMap } from './pronunciation.ts';
import { composeMaps, identityMap } from './text-maps.ts';

/** A chunk as the engine reads it, and the way back to the text as the client sent it. */
export interface PreparedChunk {
  readonly pronunciation: Pronunciation;
  /** From the chunk's text as written, markup and all, to `pronunciation.spoken`. */
  readonly map: TextMap;
}

export interface FrontEndOptions {
  /** ISO 639-1: whose numbers and dates the text is written in. */
  readonly language: string;
  /** The phonemiser's voice name, such as `en-us`. */
  readonly espeakVoice: string;
  /** Whether numbers, dates and the like are written out first. */
  readonly normalise: boolean;
  /** The caller's own dictionaries, the first ruling over the next. */
  readonly dictionaries?: PronunciationDictionaries | undefined;
  /** What the text's markup says about the chunk, which itself has none. */
  readonly markup?: ChunkMarkup | undefined;
}

/** At most three (PROTOCOL §3.1). */
export type PronunciationDictionaries = readonly RuleIndex[];

/** @returns undefined for a language whose text is spoken as it is written. */
export type NormaliserOf = (language: string) => Normaliser | undefined;

/** Chunk → phonemes: dictionaries, the normaliser of the chunk's language, then the phonemiser. */
export class FrontEnd {
  readonly #phonemiser: Phonemiser;
  readonly #normaliserOf: NormaliserOf;

  constructor(phonemiser: Phonemiser, normaliserOf: NormaliserOf) {
    this.#phonemiser = phonemiser;
    this.#normaliserOf = normaliserOf;
  }

  /**
   * All that is done on this thread is done before the first wait: about 2 ms for the worst chunk.
   *
   * @throws what the phonemiser throws; the signal's reason once it is aborted.
   */
  async prepare(
    chunk: string,
    style: FrontEndOptions,
    signal: AbortSignal,
  ): Promise<PreparedChunk> {
    signal.throwIfAborted();
    const normaliser = style.normalise ? this.#normaliserOf(style.language) : undefined;
    const normalise = (text: string) => normaliser?.normalise(text) ?? identityMap(text);
    const { dictionaries = [], markup } = style;
    const { map, overrides } = applyRules(chunk, dictionaries, normalise, markup?.phonemes);
    const reading = await this.#phonemiser.pronounce(map.spoken, style.espeakVoice, signal);
    return {
      pronunciation: overridePhonemes(reading, overrides),
      map: markup ? composeMaps(markup.map, map) : map,
    };
  }
}
