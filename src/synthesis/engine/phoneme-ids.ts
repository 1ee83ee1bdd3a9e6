import type { VoiceConfig } from './voice-config.ts';

const PAD = '_';
const START = '^';
const END = '$';

/** A chunk as the model reads it. */
export interface PhonemeIds {
  readonly ids: readonly number[];
  /** For each id, the index of the symbol that it belongs to. */
  readonly owners: readonly number[];
}

/**
 * `[start, pad, id, pad, id, pad … end]`, the order that Piper voices are trained on
 * (`phonemes_to_ids` of piper-phonemize). A symbol owns its ids and the pads after them; the first
 * one also the start, the last one the end. Symbols that the voice lacks are left out; without any
 * known symbol there is nothing to read, and both lists are empty.
 */
export function phonemeIds(
  symbols: readonly string[],
  voice: Pick<VoiceConfig, 'phonemeIds' | 'phonemeMap'>,
): PhonemeIds {
  const lookUp = (symbol: string): readonly number[] => voice.phonemeIds.get(symbol) ?? [];
  const pad = lookUp(PAD);
  const ids: number[] = [];
  const owners: number[] = [];
  const push = (owner: number, values: readonly number[]) => {
    ids.push(...values);
    owners.push(...values.map(() => owner));
  };
  symbols.forEach((symbol, owner) => {
    const known = (voice.phonemeMap.get(symbol) ?? [symbol]).flatMap(lookUp);
    if (known.length === 0) return;
    if (ids.length === 0) push(owner, [...lookUp(START), ...pad]);
    for (const id of known) push(owner, [id, ...pad]);
  });
  const last = owners.at(-1);
  if (last !== undefined) push(last, lookUp(END));
  return { ids, owners };
}

/** Sums what each id lasts into what each symbol lasts. */
export function symbolDurations(
  owners: readonly number[],
  durations: ArrayLike<number>,
  symbolCount: number,
): number[] {
  const sums = new Array<number>(symbolCount).fill(0);
  owners.forEach((owner, i) => {
    sums[owner] = (sums[owner] ?? 0) + (durations[i] ?? 0);
  });
  return sums;
}
