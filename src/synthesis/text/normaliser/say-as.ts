/** What text is to be read as, by SSML's `<say-as>`. */
export interface SayAs {
  readonly as: SayAsKind;
  /** How a date is written, such as `dmy`; empty where nothing is said. */
  readonly format: string;
}

type SayAsKind = 'characters' | 'digits' | 'cardinal' | 'ordinal' | 'telephone' | 'date' | 'time';

const KINDS: ReadonlyMap<string, SayAsKind> = new Map([
  ['characters', 'characters'],
  ['spell-out', 'characters'],
  ['verbatim', 'characters'],
  ['digits', 'digits'],
  ['cardinal', 'cardinal'],
  ['number', 'cardinal'],
  ['ordinal', 'ordinal'],
  ['telephone', 'telephone'],
  ['phone', 'telephone'],
  ['date', 'date'],
  ['time', 'time'],
]);

/** @returns undefined for what nobody can be asked for: the text is then read as any other. */
export function sayAsOf(interpretAs: string, format: string): SayAs | undefined {
  const as = KINDS.get(interpretAs.trim().toLowerCase());
  return as && { as, format };
}

/**
 * In a language without words of its own here: digits and letters stand apart, so that each is read
 * by its name; the language's own reader does the rest.
 */
export function sayApart(text: string, { as }: SayAs): string {
  if (as === 'characters') return (text.match(/[\p{L}\p{N}]\p{M}*/gu) ?? []).join(' ');
  if (as !== 'digits' && as !== 'telephone') return text;
  const groups = text.match(/\p{N}+/gu) ?? [];
  return groups.map((digits) => [...digits].join(' ')).join(', ');
}
