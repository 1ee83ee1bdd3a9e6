import type { DictionaryRule } from '../../domain/dictionary.ts';
import { SpeechError } from '../../domain/errors.ts';
import { symbolsOfRule } from '../../synthesis/text/dictionary/ipa.ts';

/** As many as a dictionary may have. */
export const MAX_RULES = 10_000;
/** In characters: longer than any word or name, and short enough to be looked for quickly. */
export const MAX_STRING_LENGTH = 100;
/** In characters: rules of this length still leave a chunk speakable in one go. */
export const MAX_REPLACEMENT_LENGTH = 500;

/** Control characters, halves of surrogate pairs, and what XML has no way to write. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\ufffe\uffff]/u;

/**
 * @param describe names a rule for its author, such as `rules[3]`.
 * @throws SpeechError `invalid_input_message` for the first rule that could never be applied.
 */
export function assertUsable(
  rules: readonly DictionaryRule[],
  describe: (index: number) => string,
): void {
  if (rules.length > MAX_RULES) {
    throw refusal('rules', `A dictionary can have ${MAX_RULES} rules, not ${rules.length}.`);
  }
  rules.forEach((rule, index) => {
    const problem = problemOf(rule);
    if (problem) throw refusal(describe(index), `The rule ${describe(index)} ${problem}`);
  });
}

/** @returns what is wrong with a rule, to be read after its name; undefined when nothing is. */
function problemOf(rule: DictionaryRule): string | undefined {
  const { stringToReplace } = rule;
  if (stringToReplace.trim() === '') return 'replaces nothing: give it text to look for.';
  if (stringToReplace.length > MAX_STRING_LENGTH) {
    return `looks for more than ${MAX_STRING_LENGTH} characters.`;
  }
  const replacement = rule.type === 'alias' ? rule.alias : rule.phoneme;
  if (replacement.length > MAX_REPLACEMENT_LENGTH) {
    return `speaks more than ${MAX_REPLACEMENT_LENGTH} characters.`;
  }
  if (UNWRITABLE.test(stringToReplace) || UNWRITABLE.test(replacement)) {
    return 'holds control characters or broken ones.';
  }
  if (rule.type === 'alias') {
    return replacement.trim() === '' ? 'speaks nothing: give it an alias.' : undefined;
  }
  if (symbolsOfRule(rule)) return undefined;
  return rule.alphabet === 'ipa'
    ? `has phonemes that are not IPA: "${replacement}".`
    : `has phonemes that are not CMU ARPABET, such as "T AH0 M EY1 T OW2": "${replacement}".`;
}

function refusal(param: string, message: string): SpeechError {
  return new SpeechError('invalid_input_message', message, { param });
}

/**
 * Rules are the same when they are about the same text in the same way: only the first would ever be
 * applied.
 */
export function sameTextKey({ stringToReplace, caseSensitive }: DictionaryRule): string {
  return `${caseSensitive ? 'exact' : 'folded'} ${stringToReplace}`;
}
