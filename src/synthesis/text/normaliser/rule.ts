/** What a stretch may start with: the scanner tries only the rules that start like the text does. */
export type StretchStart = 'digit' | 'letter' | 'symbol';

/** Reads one kind of written stretch ("3:15 pm") aloud. Language-neutral; the rules are not. */
export interface Rule {
  readonly starts: readonly StretchStart[];
  /** Sticky. Every repetition is bounded, so that one attempt costs a constant. */
  readonly pattern: RegExp;
  /** The words to speak, or undefined when a closer look shows something else: later rules may try. */
  readonly speak: (match: RegExpExecArray) => string | undefined;
}

/** Nothing that would carry a word on: "5kg" is not "5k" then "g". */
export const WORD_END = '(?![\\p{L}\\p{M}\\p{N}_])';

/** As `WORD_END`, nor a second part of the same figure: in "555.1234" no number ends after "555". */
export const FIGURE_END = '(?![\\p{L}\\p{M}\\p{N}_]|[.:/–-]\\p{N}|,\\p{N}{3}(?!\\p{N}))';

/** As `FIGURE_END`, but a range may go on: "5kg-10kg". */
export const RANGE_END = '(?![\\p{L}\\p{M}\\p{N}_]|[.:/]\\p{N}|,\\p{N}{3}(?!\\p{N}))';

/**
 * @param starts how the matched stretch may start, space-separated: `digit`, `letter`, `symbol`.
 * @param source a regular expression's source without unbounded repetition (`*`, `+`, `{1,}`).
 * @param flags `i` where case does not matter.
 */
export function rule(
  starts: StretchStart | 'digit letter',
  source: string,
  speak: Rule['speak'],
  flags: 'i' | '' = '',
): Rule {
  return {
    starts: starts === 'digit letter' ? ['digit', 'letter'] : [starts],
    pattern: new RegExp(source, `uy${flags}`),
    speak,
  };
}

/** The sources, longest first so that none hides another, as one non-capturing group. */
export function anyOf(words: Iterable<string>): string {
  const escaped = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return `(?:${escaped.join('|')})`;
}
