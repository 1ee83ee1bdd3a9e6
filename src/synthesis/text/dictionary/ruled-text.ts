import { TextMapBuilder } from '../normaliser/text-map-builder.ts';
import type { TextMap } from '../pronunciation.ts';
import { composeMaps } from '../text-maps.ts';
import { symbolsOfRule } from './ipa.ts';
import { unusedCharacters } from './private-use.ts';
import type { RuleIndex, RuleMatch } from './rule-index.ts';
import { spokenStretches, type TextRange } from './spoken-stretches.ts';
import { winningMatches } from './winning-matches.ts';

/** A stretch of spoken text whose sounds a rule gives. */
export interface PhonemeOverride extends TextRange {
  /** One NFD code point each. */
  readonly symbols: readonly string[];
}

/** A chunk with its dictionaries applied, written out for speech. */
export interface RuledText {
  readonly map: TextMap;
  /** In text order, on `map.spoken`. */
  readonly overrides: readonly PhonemeOverride[];
}

type Normalise = (text: string) => TextMap;

/**
 * Applies dictionaries to a chunk and has the result normalised. Alias rules put their words into
 * the text; nothing that a rule has put in is looked at again by a rule. Phoneme rules leave the text
 * as it is written, and say how a stretch of it sounds. Takes time linear in the text.
 *
 * @param dictionaries in the order of the request: see `winningMatches`.
 * @param normalise how text is written out for speech.
 * @param markup see `winningMatches`.
 */
export function applyRules(
  chunk: string,
  dictionaries: readonly RuleIndex[],
  normalise: Normalise,
  markup: readonly RuleMatch[] = [],
): RuledText {
  const matches = winningMatches(chunk, dictionaries, markup);
  if (matches.length === 0) return { map: normalise(chunk), overrides: [] };
  const map = replaced(chunk, matches, normalise, () => undefined);
  const sounded = matches.filter(({ rule }) => rule.type === 'phoneme');
  const stretches = spokenStretches(map, sounded);
  if (stretches) return { map, overrides: overridesOf(sounded, stretches) };
  return applyMarked(chunk, matches, sounded, normalise);
}

/**
 * For rules about a part of what the normaliser reads as a whole ("St" of "St.", "5" of "$5"): the
 * stretches of phoneme rules are kept from it behind characters that mean nothing to it.
 */
function applyMarked(
  chunk: string,
  matches: readonly RuleMatch[],
  sounded: readonly RuleMatch[],
  normalise: Normalise,
): RuledText {
  const inserted = matches.map(({ rule }) => (rule.type === 'alias' ? rule.alias : ''));
  const characters = unusedCharacters([chunk, ...inserted].join(''), sounded.length);
  const markOf = new Map(sounded.map((match, index) => [match, characters[index]]));
  const marked = replaced(chunk, matches, normalise, (match) => markOf.get(match));
  const matchOf = new Map(sounded.map((match) => [markOf.get(match), match]));
  const written = new TextMapBuilder(marked.spoken);
  const kept: RuleMatch[] = [];
  const stretches: TextRange[] = [];
  let at = 0;
  let growth = 0;
  for (const character of marked.spoken) {
    const match = matchOf.get(character);
    if (match) {
      const text = chunk.slice(match.start, match.end);
      written.replace(at, at + character.length, text);
      stretches.push({ start: at + growth, end: at + growth + text.length });
      kept.push(match);
      growth += text.length - character.length;
    }
    at += character.length;
  }
  return { map: composeMaps(marked, written.build()), overrides: overridesOf(kept, stretches) };
}

/** @param markOf what stands for the stretch of a phoneme rule; undefined leaves it as written. */
function replaced(
  chunk: string,
  matches: readonly RuleMatch[],
  normalise: Normalise,
  markOf: (match: RuleMatch) => string | undefined,
): TextMap {
  const builder = new TextMapBuilder(chunk);
  for (const match of matches) {
    const { start, end, rule } = match;
    const text = rule.type === 'alias' ? rule.alias : markOf(match);
    if (text !== undefined) builder.replace(start, end, text);
  }
  const ruled = builder.build();
  return composeMaps(ruled, normalise(ruled.spoken));
}

function overridesOf(
  matches: readonly RuleMatch[],
  stretches: readonly TextRange[],
): readonly PhonemeOverride[] {
  return stretches.flatMap((stretch, index) => {
    const rule = matches[index]?.rule;
    const symbols = rule?.type === 'phoneme' ? symbolsOfRule(rule) : undefined;
    return symbols ? [{ ...stretch, symbols }] : [];
  });
}
