import type { PhonemeRule } from '../../../domain/dictionary.ts';
import type { RuleMatch } from '../dictionary/rule-index.ts';
import type { TextMap, TextSegment } from '../pronunciation.ts';

/** What markup says about one chunk. */
export interface ChunkMarkup {
  /** From the text as written, tags and all, to the text without them. */
  readonly map: TextMap;
  /** On the text without tags: how stretches of it sound. They rule over dictionaries. */
  readonly phonemes: readonly RuleMatch[];
}

/** A stretch of text as it was written, and what is to be said for it. */
export interface WrittenStretch {
  readonly written: string;
  /** Empty for a tag. */
  readonly plain: string;
  readonly phoneme?: PhonemeRule | undefined;
}

/** Remembers how text was written while it waits to be chunked without its markup. */
export class WrittenText {
  /** None of them is all blank on both sides. */
  #stretches: WrittenStretch[] = [];
  /** How many of them are in chunks already. */
  #taken = 0;

  add(stretch: WrittenStretch): void {
    const { written, plain } = stretch;
    if (written === '' && plain === '') return;
    const last = this.#taken < this.#stretches.length ? this.#stretches.at(-1) : undefined;
    if (last && isKept(last) && isKept(stretch)) {
      const joined = { written: last.written + written, plain: last.plain + plain };
      this.#stretches[this.#stretches.length - 1] = joined;
    } else {
      this.#stretches.push(stretch);
    }
  }

  /** Takes all that waits, to be called when no plain text does: tags behind the last chunk. */
  takeTags(): string {
    const tags = this.#stretches.slice(this.#taken).map(({ written }) => written);
    this.#stretches = [];
    this.#taken = 0;
    return tags.join('');
  }

  /**
   * Takes what a chunk without markup was written as. Tags at its end belong to it. A stretch that
   * the chunk's end cuts counts as written in this chunk, unless it is written as it is spoken.
   *
   * @param plainLength UTF-16 units of the chunk.
   */
  take(plainLength: number): ChunkMarkup {
    const segments: TextSegment[] = [];
    const phonemes: RuleMatch[] = [];
    const [original, spoken]: [string[], string[]] = [[], []];
    let [originalStart, spokenStart] = [0, 0];
    for (const { written, plain, phoneme } of this.#takeStretches(plainLength)) {
      const originalEnd = originalStart + written.length;
      const spokenEnd = spokenStart + plain.length;
      segments.push({ originalStart, originalEnd, spokenStart, spokenEnd });
      if (phoneme) phonemes.push({ start: spokenStart, end: spokenEnd, rule: phoneme, order: 0 });
      original.push(written);
      spoken.push(plain);
      [originalStart, spokenStart] = [originalEnd, spokenEnd];
    }
    return { map: { original: original.join(''), spoken: spoken.join(''), segments }, phonemes };
  }

  *#takeStretches(plainLength: number): Generator<WrittenStretch, void> {
    let left = plainLength;
    for (; this.#taken < this.#stretches.length; this.#taken++) {
      const stretch = this.#stretches[this.#taken];
      if (!stretch || stretch.plain.length > left) break;
      left -= stretch.plain.length;
      yield stretch;
    }
    const cut = this.#stretches[this.#taken];
    if (!cut) {
      this.#stretches = [];
      this.#taken = 0;
    } else if (left > 0) {
      const writtenLength = isKept(cut) ? left : cut.written.length;
      const rest = { written: cut.written.slice(writtenLength), plain: cut.plain.slice(left) };
      this.#stretches[this.#taken] = rest;
      yield {
        ...cut,
        written: cut.written.slice(0, writtenLength),
        plain: cut.plain.slice(0, left),
      };
    }
  }
}

function isKept({ written, plain, phoneme }: WrittenStretch): boolean {
  return written === plain && phoneme === undefined;
}
