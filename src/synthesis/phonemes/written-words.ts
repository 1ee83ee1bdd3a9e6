/** A word as written: `text.slice(start, end)`. */
export interface WrittenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Everything between spaces, dashes, brackets, quotes and wide punctuation; no half clusters. */
const RUN = /(?!\p{M})[^\s()[\]{}<>|"“”„‟«»‹›「」『』【】（）—–…。、，．！？：；।॥،؛؟¿¡]+/gu;
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}%&@#*/\\]/u;
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const PLAIN = /^(?!\p{Lu}{2})[\p{L}\p{M}'’]+$/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** @returns the stretches of a clause that a voice gives sounds of their own, in order. */
export function writtenWords(text: string): readonly WrittenWord[] {
  return [...text.matchAll(RUN)].flatMap((match) => {
    const [run] = match;
    if (!SAYS_SOMETHING.test(run)) return [];
    if (UNSPACED.test(run)) return unspacedWords(run, match.index);
    return [{ text: run, start: match.index, end: match.index + run.length }];
  });
}

/** Whether a word is surely read as one: no numbers, hyphens or spelled-out capitals. */
export function isPlainWord(word: WrittenWord): boolean {
  return PLAIN.test(word.text);
}

function unspacedWords(run: string, offset: number): WrittenWord[] {
  return [...words.segment(run)]
    .filter(({ segment }) => SAYS_SOMETHING.test(segment))
    .map(({ segment, index }) => ({
      text: segment,
      start: offset + index,
      end: offset + index + segment.length,
    }));
}
