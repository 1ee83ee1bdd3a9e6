/** Phoneme symbols that a character may be spoken with at no charge: `%` takes nine. */
const FREE_SYMBOLS_PER_CHARACTER = 10;
/** And so many more for each chunk: a short one may be a name that a dictionary writes out. */
const FREE_SYMBOLS_PER_CHUNK = 50;

/**
 * What a chunk costs beyond its characters as written. Numbers, signs and dictionaries may make a
 * text longer when it is spoken; what goes beyond all ordinary text is work like any other, and each
 * phoneme symbol of it is charged as a character.
 *
 * @param characters of the chunk as written.
 * @param symbols that it is spoken with.
 */
export function spokenSurplus(characters: number, symbols: number): number {
  const free = FREE_SYMBOLS_PER_CHUNK + FREE_SYMBOLS_PER_CHARACTER * characters;
  return Math.max(0, symbols - free);
}
