import type { Tag } from './tag-reader.ts';

/** Longer breaks last so long, as the original's do. */
const MAX_BREAK_MS = 3000;

/** SSML leaves to the speaker how long these are. */
const STRENGTHS: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['x-weak', 100],
  ['weak', 250],
  ['medium', 500],
  ['strong', 800],
  ['x-strong', 1200],
]);
const USUAL_MS = 500;

const TIME = /^\s*\+?(\d{0,9}(?:\.\d{0,9})?)\s*(m?s)(?:ec(?:ond)?s?)?\s*$/i;

/** How long a `<break>` lasts, in whole milliseconds; a time that nobody can read counts as absent. */
export function breakDurationMs({ attributes }: Tag): number {
  const [, figure = '', unit = ''] = TIME.exec(attributes.get('time') ?? '') ?? [];
  const time = Number.parseFloat(figure) * (unit.toLowerCase() === 's' ? 1000 : 1);
  if (Number.isFinite(time)) return Math.min(Math.round(time), MAX_BREAK_MS);
  return STRENGTHS.get(attributes.get('strength')?.toLowerCase() ?? '') ?? USUAL_MS;
}
