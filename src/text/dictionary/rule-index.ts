import type { DictionaryRule } from '../../domain/dictionary.ts';
import { isWordBoundary } from './word-boundaries.ts';

/** A stretch of a text that a rule is about. */
export interface RuleMatch {
  /** UTF-16, half-open. */
  readonly start: number;
  readonly end: number;
  readonly rule: DictionaryRule;
  /** Place of the rule in its dictionary: the smaller comes first. */
  readonly order: number;
}

type IndexedRule = Pick<RuleMatch, 'rule' | 'order'>;

/**
 * The rules of one dictionary, made ready to be looked up in any text. Looking costs a constant for
 * each character and each length that a rule has, however many rules there are.
 */
export class RuleIndex {
  readonly #exact = new Map<string, IndexedRule[]>();
  readonly #folded = new Map<string, IndexedRule[]>();
  readonly #lengths: readonly number[];

  /** @param rules in the dictionary's order. */
  constructor(rules: readonly DictionaryRule[]) {
    rules.forEach((rule, order) => {
      const index = rule.caseSensitive ? this.#exact : this.#folded;
      for (const form of formsOf(rule.stringToReplace)) {
        const key = rule.caseSensitive ? form : foldCase(form);
        if (key === '') continue;
        const entries = index.get(key);
        if (entries) entries.push({ rule, order });
        else index.set(key, [{ rule, order }]);
      }
    });
    const keys = [...this.#exact.keys(), ...this.#folded.keys()];
    this.#lengths = [...new Set(keys.map((key) => key.length))];
  }

  /** Every match in a text, overlapping ones too, in no particular order. */
  matchesIn(text: string): readonly RuleMatch[] {
    const folded = this.#folded.size > 0 ? foldCase(text) : text;
    const matches: RuleMatch[] = [];
    for (const length of this.#lengths) {
      for (let start = 0; start + length <= text.length; start++) {
        const end = start + length;
        const exact = this.#exact.get(text.slice(start, end));
        const caseless = this.#folded.get(folded.slice(start, end));
        if (exact) matches.push(...applicable(exact, text, start, end));
        if (caseless) matches.push(...applicable(caseless, text, start, end));
      }
    }
    return matches;
  }
}

function applicable(
  found: readonly IndexedRule[],
  text: string,
  start: number,
  end: number,
): readonly RuleMatch[] {
  const isWord = isWordBoundary(text, start) && isWordBoundary(text, end);
  return found
    .filter(({ rule }) => isWord || !rule.wordBoundaries)
    .map((entry) => ({ ...entry, start, end }));
}

/** The same letters may be written composed or decomposed (UAX #15); a rule means both. */
function formsOf(text: string): ReadonlySet<string> {
  return new Set([text, text.normalize('NFC'), text.normalize('NFD')]);
}

/**
 * Lower case, character for character, so that places in the result are places in the text: what
 * changes its length (as "İ" does) stays. The two lower-case sigmas count as one.
 */
function foldCase(text: string): string {
  const lower = /^\p{ASCII}*$/u.test(text)
    ? text.toLowerCase()
    : Array.from(text, lowerOf).join('');
  return lower.replaceAll('ς', 'σ');
}

function lowerOf(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
