import type { TextMap } from '../pronunciation.ts';
import type { Normaliser } from './normaliser.ts';
import type { Rule, StretchStart } from './rule.ts';
import { TextMapBuilder } from './text-map-builder.ts';

type RulesByStart = Readonly<Record<StretchStart, readonly Rule[]>>;

const DIGIT = /[0-9]/;
const LETTER = /[\p{L}\p{M}\p{N}_]/u;
const SPACES = /\s+/uy;
// A figure that no rule reads is left alone as a whole: half of "1.2.3.4.5" must not become a number.
const UNREAD_FIGURE = /[\p{L}\p{M}\p{N}_.,:/–-]+/uy;
const UNREAD_WORD = /[\p{L}\p{M}\p{N}_]+/uy;
/** The "s" of "it's" and the "ll" of "we’ll" are no words of their own. */
const AFTER_APOSTROPHE = /(?<=[\p{L}\p{M}]['’])/uy;

/**
 * Makes a normaliser of rules. At each stretch of text the first rule that speaks wins, the scan goes
 * on after it, and what no rule reads is kept. Time is linear: rules are bounded, and every step
 * moves forward past what it looked at.
 *
 * @param language ISO 639-1.
 * @param rules in order of preference.
 */
export function ruleNormaliser(language: string, rules: readonly Rule[]): Normaliser {
  const startingWith = (start: StretchStart) =>
    rules.filter(({ starts }) => starts.includes(start));
  const byStart: RulesByStart = {
    digit: startingWith('digit'),
    letter: startingWith('letter'),
    symbol: startingWith('symbol'),
  };
  return { language, normalise: (text) => scan(text, byStart) };
}

function scan(text: string, rules: RulesByStart): TextMap {
  const map = new TextMapBuilder(text);
  let at = endOf(SPACES, text, 0);
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const start = startOf(character);
    const end = read(text, at, start, rules, map);
    at = endOf(SPACES, text, end ?? afterUnread(text, at, start, character));
  }
  return map.build();
}

/** Tries the rules at one place; returns where the matched stretch ends, or undefined. */
function read(
  text: string,
  at: number,
  start: StretchStart,
  rules: RulesByStart,
  map: TextMapBuilder,
): number | undefined {
  if (start === 'letter' && endOf(AFTER_APOSTROPHE, text, at, -1) === at) return undefined;
  for (const { pattern, speak } of rules[start]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const spoken = match === null ? undefined : speak(match);
    if (match === null || spoken === undefined) continue;
    const end = at + match[0].length;
    if (spoken !== match[0]) map.replace(at, end, spoken);
    return end;
  }
  return undefined;
}

function startOf(character: string): StretchStart {
  if (DIGIT.test(character)) return 'digit';
  return LETTER.test(character) ? 'letter' : 'symbol';
}

function afterUnread(text: string, at: number, start: StretchStart, character: string): number {
  if (start === 'symbol') return at + character.length;
  return endOf(start === 'digit' ? UNREAD_FIGURE : UNREAD_WORD, text, at);
}

/** Where the sticky pattern's match at `at` ends; `otherwise`, by default `at`, when it does not match. */
function endOf(pattern: RegExp, text: string, at: number, otherwise = at): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : otherwise;
}
