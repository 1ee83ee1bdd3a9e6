import type { PhonemeIds } from '../phoneme-ids.ts';
import type { SymbolRules } from './symbol-rules.ts';
import { KOKORO_IDS } from './vocabulary.ts';

/** Code points of the longest rule. */
const LONGEST_RULE = 3;

/**
 * A chunk's symbols as ids of Kokoro's, without the pads around them. Several symbols may become one id,
 * which belongs to the first of them, or one become several; those that Kokoro lacks are left out.
 *
 * @param symbols of eSpeak NG, one NFD code point each.
 */
export function kokoroIds(symbols: readonly string[], rules: SymbolRules): PhonemeIds {
  const ids: number[] = [];
  const owners: number[] = [];
  for (let index = 0; index < symbols.length; ) {
    const { length, reading } = readingAt(symbols, index, rules);
    for (const symbol of reading) {
      const id = KOKORO_IDS.get(symbol);
      if (id === undefined) continue;
      ids.push(id);
      owners.push(index);
    }
    index += length;
  }
  return { ids, owners };
}

function readingAt(
  symbols: readonly string[],
  index: number,
  rules: SymbolRules,
): { readonly length: number; readonly reading: string } {
  for (let length = LONGEST_RULE; length > 0; length--) {
    const reading = rules.get(symbols.slice(index, index + length).join(''));
    if (reading !== undefined) return { length, reading };
  }
  return { length: 1, reading: symbols[index] ?? '' };
}
