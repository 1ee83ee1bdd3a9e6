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
  // Asked for single clusters: to list them all takes as long as everything else that reads the text.
  const clusters = GRAPHEMES.segment(text);
  const clusterAt = (index: number) => clusters.containing(index)?.index ?? 0;
  const lastCluster = clusterAt(text.length - 1);
  const windowStart = clusterAt(Math.max(0, lastCluster - WORD_WINDOW));
  const words = [...WORDS.segment(text.slice(windowStart))];
  const lastWord = words.findLast((word) => word.isWordLike)?.index ?? 0;
  return lastWord > 0 ? windowStart + lastWord : lastCluster;
}
