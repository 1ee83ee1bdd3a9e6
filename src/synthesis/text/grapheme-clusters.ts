/** Text in which every UTF-16 unit is a grapheme cluster, unless it holds a carriage return. */
const ASCII = /^\p{ASCII}*$/u;

const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * @returns the UTF-16 indexes where grapheme clusters (UAX #29) begin, then the text's length:
 *   letters with their combining marks and joined emoji are one cluster each.
 */
export function clusterBounds(text: string): readonly number[] {
  if (ASCII.test(text) && !text.includes('\r')) {
    return Array.from({ length: text.length + 1 }, (_, index) => index);
  }
  return [...Array.from(clusters.segment(text), ({ index }) => index), text.length];
}
