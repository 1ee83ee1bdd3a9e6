import { english } from './en/english.ts';
import type { Normaliser } from './normaliser.ts';

/** One folder a language: a new one exports its normaliser, and gets its line here. */
const NORMALISERS: ReadonlyMap<string, Normaliser> = new Map(
  [english].map((normaliser) => [normaliser.language, normaliser]),
);

/**
 * @param language ISO 639-1, lower case, such as `en`.
 * @returns undefined for a language without a normaliser: its text is spoken as it is written.
 */
export function normaliserFor(language: string): Normaliser | undefined {
  return NORMALISERS.get(language);
}
