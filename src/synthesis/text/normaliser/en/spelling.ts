import { groupsOf } from '../groups.ts';
import { digitByDigit } from './cardinals.ts';

/**
 * Letters and digits one by one: "AB12" → "A-B one two". A phonemiser reads a capital A between
 * other words as the article ("uh"), except before a hyphen; two of them need a pause.
 */
export function spelled(characters: string): string {
  const names = [...characters.toUpperCase()].map((character) =>
    /[0-9]/.test(character) ? digitByDigit(character) : character,
  );
  return names
    .map((name, i) => {
      const next = names[i + 1];
      if (next === undefined) return name;
      if (name !== 'A') return `${name} `;
      return next === 'A' ? 'A, ' : 'A-';
    })
    .join('');
}

/** As `spelled`, with a pause between groups of three or four: "XKJQWE" → "X K J, Q W E". */
export function spelledInGroups(characters: string): string {
  return groupsOf(characters).map(spelled).join(', ');
}

/** Puts a pause after a last "A" that words follow: before them it would be the article again. */
export function closed(spoken: string, { 0: written, index, input }: RegExpExecArray): string {
  const end = index + written.length;
  const wordFollows = /^ [\p{L}\p{N}]/u.test(input.slice(end, end + 3));
  return spoken.endsWith('A') && wordFollows ? `${spoken},` : spoken;
}
