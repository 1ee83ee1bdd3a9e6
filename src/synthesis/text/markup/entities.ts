const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([a-z]{2,4}));/g;

/** How the references of a text that is cut may begin, at its end. */
export const ENTITY_START = /&(?:#\d{0,7}|#[xX][\dA-Fa-f]{0,6}|[a-z]{0,4})$/;

/** A reference to a character, such as `&amp;` or `&#233;`. */
interface Entity {
  /** UTF-16, half-open. */
  readonly start: number;
  readonly end: number;
  readonly character: string;
}

/** The references of a text to characters that there are, in order. No others are defined: XML has no more. */
export function entitiesIn(text: string): readonly Entity[] {
  return Array.from(text.matchAll(ENTITY)).flatMap((match) => {
    const character = characterOf(match);
    if (character === undefined) return [];
    return [{ start: match.index, end: match.index + match[0].length, character }];
  });
}

/** Replaces references by what they stand for; what is none stays. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (...match) => characterOf(match as string[]) ?? String(match[0]));
}

function characterOf([, decimal, hexadecimal, name]: readonly (string | undefined)[]) {
  if (name) return NAMED.get(name);
  const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16);
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
