import type { Tag } from './tag-reader.ts';

/** Longer brackets are text: what may be a tag is held back. */
const MAX_TAG_LENGTH = 60;
const MAX_WORDS = 6;
const MIN_LETTERS = 3;

const INNER = /[\p{L}\p{M}\d ,.'’-]/u;
const DIRECTION = /^\p{L}[\p{L}\p{M} ,'’-]*$/u;
const PAUSE =
  /^(?:(short|brief|long) )?(?:pauses?|silence|beat)(?: (?:of |for )?(\d[\d.]* ?(?:ms|s|sec(?:ond)?s?)))?$/;
/** Of a `<break>`. */
const STRENGTHS: ReadonlyMap<string, string> = new Map([
  ['short', 'weak'],
  ['brief', 'weak'],
  ['long', 'x-strong'],
]);

/** What editors of a quotation put in brackets, to be read: single words of grammar, and remarks. */
const EDITORIAL: ReadonlySet<string> = new Set([
  ...['sic', 'emphasis added', 'emphasis mine', 'citation needed', 'redacted', 'unclear'],
  ...['and', 'but', 'not', 'the', 'this', 'that', 'these', 'those', 'she', 'they', 'you'],
  ...['him', 'her', 'them', 'his', 'its', 'our', 'your', 'their', 'who', 'which'],
  ...['are', 'was', 'were', 'has', 'have', 'had', 'will', 'would'],
]);

/**
 * Reads one audio tag, such as `[laughs]`, `[in a low voice]` or `[long pause]`, a character at a
 * time: one to six words without digits, of three letters or more, that no editor would have put
 * there. The voices act on pauses, which may also say how long they are; of other tags nothing is heard.
 */
export class AudioTagReader {
  #written = '[';

  /** All that it has taken, from the `[` on. */
  get written(): string {
    return this.#written;
  }

  /** As `TagReader.take`: a pause is a `<break>`, any other direction a tag without a name. */
  take(character: string): Tag | boolean {
    if (character === ']') {
      const tag = tagOf(this.#written.slice(1).trim().toLowerCase());
      if (tag) this.#written += character;
      return tag ?? false;
    }
    const isTooLong = this.#written.length >= MAX_TAG_LENGTH;
    if (isTooLong || !INNER.test(character)) return false;
    this.#written += character;
    return true;
  }
}

function tagOf(words: string): Tag | undefined {
  const pause = PAUSE.exec(words);
  if (pause) return breakOf(pause[1], pause[2]);
  const isDirection =
    words.length >= MIN_LETTERS &&
    words.split(/ +/).length <= MAX_WORDS &&
    DIRECTION.test(words) &&
    !EDITORIAL.has(words);
  return isDirection ? { kind: 'empty', name: '', attributes: new Map() } : undefined;
}

function breakOf(length: string | undefined, time: string | undefined): Tag {
  const strength = STRENGTHS.get(length ?? '') ?? 'medium';
  const attributes = new Map(time === undefined ? [['strength', strength]] : [['time', time]]);
  return { kind: 'empty', name: 'break', attributes };
}
