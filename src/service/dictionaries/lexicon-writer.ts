import type { DictionaryRule } from '../../domain/dictionary.ts';
import { LEXICON_NAMESPACE, OPTION_NAMES, OPTIONS_NAMESPACE } from './lexicon.ts';

/**
 * Rules as a lexicon in the Pronunciation Lexicon Specification's XML, which `readLexicon` reads back
 * as they were, but for repeated white space.
 *
 * @param language BCP 47; the specification wants one, and rules are of none: `und` when unknown.
 */
export function writeLexicon(rules: readonly DictionaryRule[], language = 'und'): string {
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<lexicon version="1.0" xmlns="${LEXICON_NAMESPACE}" xmlns:sidetone="${OPTIONS_NAMESPACE}" alphabet="ipa" xml:lang="${escaped(language)}">`,
  ];
  return [...head, ...rules.map(lexeme), '</lexicon>', ''].join('\n');
}

function lexeme(rule: DictionaryRule): string {
  const options = (['caseSensitive', 'wordBoundaries'] as const)
    .filter((option) => !rule[option])
    .map((option) => ` sidetone:${OPTION_NAMES[option]}="false"`)
    .join('');
  return [
    `  <lexeme${options}>`,
    `    <grapheme>${escaped(rule.stringToReplace)}</grapheme>`,
    `    ${reading(rule)}`,
    '  </lexeme>',
  ].join('\n');
}

function reading(rule: DictionaryRule): string {
  if (rule.type === 'alias') return `<alias>${escaped(rule.alias)}</alias>`;
  const alphabet = rule.alphabet === 'ipa' ? '' : ` alphabet="${rule.alphabet}"`;
  return `<phoneme${alphabet}>${escaped(rule.phoneme)}</phoneme>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
