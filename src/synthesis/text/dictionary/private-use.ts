/** The characters of plane 15, which Unicode leaves to private use: nobody's text holds them. */
const FIRST = 0xf0000;
const LAST = 0xffffd;

/** @returns as many private characters as wanted, or as there are, none of which the text holds. */
export function unusedCharacters(text: string, wanted: number): readonly string[] {
  const used = new Set(text);
  const unused: string[] = [];
  for (let code = FIRST; code <= LAST && unused.length < wanted; code++) {
    const character = String.fromCodePoint(code);
    if (!used.has(character)) unused.push(character);
  }
  return unused;
}
