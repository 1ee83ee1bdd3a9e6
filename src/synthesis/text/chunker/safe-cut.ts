const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
/** Words of scripts without spaces, and parts of addresses, are shorter than this. */
const WORD_WINDOW = 64;

/**
 * Where to cut text that offers no boundary: between two words as ICU sees them (UAX #29), else
 * between two grapheme clusters. The last word and cluster may go on, so they are not included.
 * @returns an index into the text, 0 if it is a single cluster.
 */
export function lastSafeCut(text: string): number {
  const clusters = [...GRAPHEMES.segment(text)].map((cluster) => cluster.index);
  const lastCluster = clusters.at(-1) ?? 0;
  const windowStart = clusters.findLast((index) => index <= lastCluster - WORD_WINDOW) ?? 0;
  const words = [...WORDS.segment(text.slice(windowStart))];
  const lastWord = words.findLast((word) => word.isWordLike)?.index ?? 0;
  return lastWord > 0 ? windowStart + lastWord : lastCluster;
}
