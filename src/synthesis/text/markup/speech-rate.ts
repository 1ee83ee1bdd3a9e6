/** What SSML names, as multiples of the voice's own pace. */
const NAMED: ReadonlyMap<string, number> = new Map([
  ['x-slow', 0.5],
  ['slow', 0.75],
  ['medium', 1],
  ['default', 1],
  ['fast', 1.25],
  ['x-fast', 1.5],
]);
/** Beyond these nobody follows, and voices come apart. */
const SLOWEST = 0.5;
const FASTEST = 2;

const FIGURE = /^\s*([+-]?)(\d{1,5}(?:\.\d{1,5})?)(%?)\s*$/;

/**
 * How much faster than its surroundings `<prosody rate="…">` speaks: a name, a multiple ("1.2"), or
 * a percentage of the pace ("80%") or of its change ("+20%").
 *
 * @returns undefined when it says nothing that can be read.
 */
export function paceOfRate(rate: string): number | undefined {
  const named = NAMED.get(rate.trim().toLowerCase());
  if (named !== undefined) return named;
  const [, sign = '', figure, percent] = FIGURE.exec(rate) ?? [];
  if (figure === undefined) return undefined;
  const share = Number(figure) / (percent ? 100 : 1);
  if (sign === '') return heldPace(share);
  return heldPace(sign === '+' ? 1 + share : 1 - share);
}

/** The pace within what can be followed. */
export function heldPace(pace: number): number {
  return Math.min(FASTEST, Math.max(SLOWEST, pace));
}
