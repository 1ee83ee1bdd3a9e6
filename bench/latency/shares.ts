import type { Bench, Job } from './bench.ts';
import { gainShares } from './levels.ts';
import { UNSCRIPTED } from './replies.ts';
import { printTable, round } from './report.ts';
import { summarise } from './statistics.ts';
import { firstAudioMs, speak } from './utterance.ts';

/** Level 4 begins like level 3. */
const LEVELS = [0, 1, 2, 3] as const;
const TOKENS_PER_SECOND = [20, 50, 100] as const;

/** How levels 1 and 2 share level 3's gain, by the length of first sentences and the speed of writing. */
export const shares: Job = async (bench) => {
  const rows = [];
  for (const [sentence, replies] of Object.entries(UNSCRIPTED)) {
    for (const tokensPerSecond of TOKENS_PER_SECOND) {
      const medians = await mediansMs(bench, replies, tokensPerSecond);
      rows.push({ sentence, tokensPerSecond, medians, shares: gainShares(medians) });
    }
  }
  printTable(
    'First token to first audio, median of 12 unscripted replies, ms, and shares of the gain',
    rows.map(({ sentence, tokensPerSecond, medians, shares: [, half, threeQuarters] }) => ({
      'first sentence': sentence,
      'tokens/s': tokensPerSecond,
      ...Object.fromEntries(
        LEVELS.map((level) => [`level ${level}`, round(medians[level] ?? null, 0)]),
      ),
      'level 1 (0.50)': round(half ?? null, 2),
      'level 2 (0.75)': round(threeQuarters ?? null, 2),
    })),
  );
  return rows;
};

async function mediansMs(
  { target }: Bench,
  replies: readonly string[],
  tokensPerSecond: number,
): Promise<Array<number | null>> {
  const fttsMs = LEVELS.map((): number[] => []);
  for (const reply of replies) {
    for (const level of LEVELS) {
      const utterance = await speak(target(level), reply, { tokensPerSecond }, 'onset');
      fttsMs[level]?.push(firstAudioMs(utterance));
    }
  }
  return fttsMs.map((times) => summarise(times).p50);
}
