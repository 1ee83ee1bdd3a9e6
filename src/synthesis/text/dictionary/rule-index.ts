import type { DictionaryRule } from '../../../domain/dictionary.ts';
import { PhraseTable } from './phrase-table.ts';
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
 * How often phrases are looked for in a text, and more for each of its characters. Names and
 * abbreviations need a tenth of it; rules made to contend everywhere must not hold calls up.
 */
const MAX_ATTEMPTS = 200;
const MAX_ATTEMPTS_PER_CHARACTER = 4;

/**
 * The rules of one dictionary, made ready to be looked up in any text. Looking takes time linear in
 * the text, however many rules there are.
 */
export class RuleIndex {
  readonly #exact = new RuleTables();
  readonly #folded = new RuleTables();

  /** @param rules in the dictionary's order. */
  constructor(rules: readonly DictionaryRule[]) {
    rules.forEach((rule, order) => {
      for (const form of formsOf(rule.stringToReplace)) {
        if (rule.caseSensitive) this.#exact.add(form, { rule, order });
        else this.#folded.add(foldCase(form), { rule, order });
      }
    });
  }

  /**
   * The matches in a text, overlapping ones too, in no particular order. Where very many phrases
   * begin alike at very many places, those at later ones are left out.
   */
  matchesIn(text: string): readonly RuleMatch[] {
    return [
      ...this.#exact.matchesIn(text, text),
      ...(this.#folded.isEmpty ? [] : this.#folded.matchesIn(text, foldCase(text))),
    ];
  }
}

/** Rules that look at case in the same way. */
class RuleTables {
  readonly #words = new PhraseTable<IndexedRule>();
  readonly #anywhere = new PhraseTable<IndexedRule>();

  get isEmpty(): boolean {
    return this.#words.size + this.#anywhere.size === 0;
  }

  add(phrase: string, entry: IndexedRule): void {
    const table = entry.rule.wordBoundaries ? this.#words : this.#anywhere;
    table.add(phrase, entry);
  }

  /** @param folded the text as the phrases are written, unit for unit. */
  *matchesIn(text: string, folded: string): Generator<RuleMatch> {
    let attempts = MAX_ATTEMPTS + MAX_ATTEMPTS_PER_CHARACTER * text.length;
    for (const { table, start, end } of this.#placesIn(text, folded)) {
      if (attempts-- <= 0) return;
      const entry = table.get(folded.slice(start, end));
      if (!entry || (entry.rule.wordBoundaries && !isWordBoundary(text, end))) continue;
      yield { ...entry, start, end };
    }
  }

  /** Where phrases may stand, by how the text goes on there. */
  *#placesIn(text: string, folded: string) {
    for (let start = 0; start < text.length; start++) {
      const tables = this.#anywhere.size > 0 ? [this.#anywhere] : [];
      if (this.#words.size > 0 && isWordBoundary(text, start)) tables.push(this.#words);
      for (const table of tables) {
        for (const length of table.lengthsAt(folded, start)) {
          const end = start + length;
          if (end <= text.length) yield { table, start, end };
        }
      }
    }
  }
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
