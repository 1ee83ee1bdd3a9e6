import { english } from './en/english.ts';
import { sayInEnglish } from './en/say-as.ts';
import type { Normaliser } from './normaliser.ts';
import { type SayAs, sayApart } from './say-as.ts';

/** One folder a language: a new one exports its normaliser, and gets its line here. */
const NORMALISERS: ReadonlyMap<string, Normaliser> = new Map(
  [english].map((normaliser) => [normaliser.language, normaliser]),
);
const SAYERS: ReadonlyMap<string, typeof sayApart> = new Map([[english.language, sayInEnglish]]);

/**
 * @param language ISO 639-1, lower case, such as `en`.
 * @returns undefined for a language without a normaliser: its text is spoken as it is written.
 */
export function normaliserFor(language: string): Normaliser | undefined {
  return NORMALISERS.get(language);
}

/**
 * Writes text out as it is asked to be read.
 *
 * @param language ISO 639-1, lower case.
 * @returns the text itself where its language has no better way.
 */
export function sayAs(text: string, asked: SayAs, language: string): string {
  const sayer = SAYERS.get(language) ?? sayApart;
  return sayer(text, asked) || text;
}
