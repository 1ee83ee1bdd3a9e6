import type { DictionaryRule } from '../../../domain/dictionary.ts';
import { clusterBounds } from '../grapheme-clusters.ts';
import type { RuleIndex, RuleMatch } from './rule-index.ts';

/**
 * What rules may add to one chunk. A short text with a long alias for every letter of it must not
 * become minutes of speech that a caller has paid a few characters for.
 */
const MAX_GROWTH = 1000;

/**
 * The matches that a text is spoken with, in text order and without overlap. Where rules contend for
 * the same letters, the dictionary that is first in the list wins, in it the rule that is first, and
 * of one rule the earlier place. No match cuts a character as a reader sees it; those by which the
 * text would grow past all measure are left out.
 *
 * @param markup what the text's own markup says about stretches of it: wins over all dictionaries.
 */
export function winningMatches(
  text: string,
  dictionaries: readonly RuleIndex[],
  markup: readonly RuleMatch[] = [],
): readonly RuleMatch[] {
  const ruled = dictionaries.flatMap((dictionary) =>
    dictionary
      .matchesIn(text)
      .toSorted((one, other) => one.order - other.order || one.start - other.start),
  );
  const candidates = [...markup, ...ruled];
  if (candidates.length === 0) return [];
  const bounds = new Set(clusterBounds(text));
  const taken = new Uint8Array(text.length);
  let growth = 0;
  const winners = candidates.filter(({ start, end, rule }) => {
    if (!bounds.has(start) || !bounds.has(end)) return false;
    if (taken[start] || taken[end - 1] || taken.subarray(start, end).includes(1)) return false;
    const grown = growth + lengthOf(rule) - (end - start);
    if (grown > MAX_GROWTH) return false;
    growth = grown;
    taken.fill(1, start, end);
    return true;
  });
  return winners.sort((one, other) => one.start - other.start);
}

function lengthOf(rule: DictionaryRule): number {
  return rule.type === 'alias' ? rule.alias.length : rule.phoneme.length;
}
