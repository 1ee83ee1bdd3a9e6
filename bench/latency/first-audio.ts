import { type Bench, type Job, LEVELS, TARGET_MS } from './bench.ts';
import { replies } from './replies.ts';
import { millisecondCells, printTable, verdict } from './report.ts';
import { summarise } from './statistics.ts';
import { firstAudioMs, leadingSilenceMs, speak } from './utterance.ts';

/** The promise for one stream at level 3. */
const PROMISED_LEVEL = 3;
const PROMISED_P50_MS = 60;
const PROMISED_P99_MS = 150;

/** Time to first byte and to first sound, of one stream at a time, at every level. */
export const firstAudio: Job = async (bench) => {
  const samples = await sample(bench);
  const results = samples.map(({ level, ttfbMs, ttfaMs }) => ({
    level,
    ttfbMs: summarise(ttfbMs),
    ttfaMs: summarise(ttfaMs),
  }));
  for (const [title, key] of [
    ['TTFB: from the flushed text to the first audio message, ms', 'ttfbMs'],
    ['TTFA: TTFB and the silence that the audio begins with, ms', 'ttfaMs'],
  ] as const) {
    printTable(
      title,
      results.map((result) => ({
        level: result.level,
        ...millisecondCells(result[key]),
        'p99 against the target': verdict(result[key].p99, TARGET_MS),
      })),
    );
  }
  const promised = results[PROMISED_LEVEL]?.ttfbMs;
  console.log(
    `\n  Level ${PROMISED_LEVEL}, TTFB: p50 ${verdict(promised?.p50 ?? null, PROMISED_P50_MS)}, ` +
      `p99 ${verdict(promised?.p99 ?? null, PROMISED_P99_MS)}`,
  );
  return results;
};

/** Level after level within each round, so that a machine that slows down slows all of them. */
async function sample({ samples, target }: Bench) {
  const text = replies(1);
  const rows = LEVELS.map((level) => ({ level, ttfbMs: [] as number[], ttfaMs: [] as number[] }));
  for (let round = 0; round < samples; round++) {
    const reply = text.next().value;
    for (const { level, ttfbMs, ttfaMs } of rows) {
      const goal = target(level);
      const utterance = await speak(goal, reply, 'at once', 'onset');
      const silenceMs = leadingSilenceMs(utterance.arrivals, goal.formatName);
      ttfbMs.push(firstAudioMs(utterance));
      if (silenceMs !== null) ttfaMs.push(firstAudioMs(utterance) + silenceMs);
    }
  }
  return rows;
}
