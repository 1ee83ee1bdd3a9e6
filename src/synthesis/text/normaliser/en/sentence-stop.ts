/** What may follow an abbreviation without a new sentence, in an address or a firm's name. */
const NAME_CONTINUES =
  /^ (?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|Rm|Room|Bldg|Building|Inc|Ltd|LLC|Corp|Jr|Sr|NE|NW|SE|SW|[NSEW])\b/;
const SENTENCE_ENDS = /^["'”’)\]]{0,3}(?:\s{0,8}$|\s{1,8}["'“‘(]?[A-Z])/;

/**
 * A full stop after an abbreviation may end the sentence too: kept when the text ends there or a
 * capital follows.
 *
 * @param match a match that ends with the full stop.
 */
export function sentenceStop({ 0: stretch, index, input }: RegExpExecArray): '.' | '' {
  const end = index + stretch.length;
  const rest = input.slice(end, end + 24);
  if (NAME_CONTINUES.test(rest)) return '';
  return SENTENCE_ENDS.test(rest) && (rest.trim() !== '' || end + 24 >= input.length) ? '.' : '';
}
