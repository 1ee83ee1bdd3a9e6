/** The code units that come second in a surrogate pair. */
const FIRST_TRAIL_UNIT = 0xdc00;
const LAST_TRAIL_UNIT = 0xdfff;

/**
 * How many characters a text has, as limits and charges count them: Unicode code points, so that an
 * emoji that UTF-16 writes with two units counts once. However a text is split, the counts of its
 * parts add up to that of the whole.
 */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= FIRST_TRAIL_UNIT && unit <= LAST_TRAIL_UNIT) count--;
  }
  return count;
}
