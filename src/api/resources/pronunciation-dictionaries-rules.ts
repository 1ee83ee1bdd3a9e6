import type { DictionaryRule } from '../../domain/dictionary.ts';
import { SpeechError } from '../../domain/errors.ts';
import { assertUsable, sameTextKey } from '../../service/dictionaries/checked-rules.ts';
import type { WireRule } from './pronunciation-dictionaries-schemas.ts';

/**
 * The rules of a request.
 *
 * @throws SpeechError `invalid_input_message` that names the first which is incomplete, which could
 *   never be applied, or which is about the same text as one before it.
 */
export function rulesOf(wireRules: readonly WireRule[]): readonly DictionaryRule[] {
  const rules = wireRules.map(ruleOf);
  assertUsable(rules, nameOf);
  const known = new Map<string, number>();
  rules.forEach((rule, index) => {
    const first = known.get(sameTextKey(rule));
    if (first !== undefined) {
      throw new SpeechError(
        'invalid_input_message',
        `The rule ${nameOf(index)} is for the same text as ${nameOf(first)}, and would never be used: leave one out.`,
        { param: nameOf(index) },
      );
    }
    known.set(sameTextKey(rule), index);
  });
  return rules;
}

/** A rule as clients read and send it (PROTOCOL §3.7). */
export function wireRule(rule: DictionaryRule): WireRule {
  const sound =
    rule.type === 'alias'
      ? { type: rule.type, alias: rule.alias }
      : { type: rule.type, phoneme: rule.phoneme, alphabet: rule.alphabet };
  return {
    ...sound,
    string_to_replace: rule.stringToReplace,
    case_sensitive: rule.caseSensitive,
    word_boundaries: rule.wordBoundaries,
  };
}

function ruleOf(rule: WireRule, index: number): DictionaryRule {
  const { type, alias, phoneme, alphabet } = rule;
  const options = {
    stringToReplace: rule.string_to_replace,
    caseSensitive: rule.case_sensitive ?? true,
    wordBoundaries: rule.word_boundaries ?? true,
  };
  if (type === 'alias') {
    return { type, alias: alias ?? missing(index, 'alias'), ...options };
  }
  return {
    type,
    phoneme: phoneme ?? missing(index, 'phoneme'),
    alphabet: alphabet ?? missing(index, 'alphabet'),
    ...options,
  };
}

function missing(index: number, field: string): never {
  throw new SpeechError(
    'invalid_input_message',
    `The rule ${nameOf(index)} needs the field "${field}".`,
    { param: `${nameOf(index)}.${field}` },
  );
}

function nameOf(index: number): string {
  return `rules[${index}]`;
}
