import { type Job, TARGET_MS } from './bench.ts';
import { type Arrangement, type LoadReport, runLoad } from './load.ts';
import { replies } from './replies.ts';
import { type Cell, printTable, round, verdict } from './report.ts';
import { percentile } from './statistics.ts';

const LEVEL = 3;
/** How many streams the promise of 400 ms at the 99th percentile is for. */
const PROMISED_STREAMS = 8;
/** How many streams may speak without any of them running dry, 400 ms at the 95th percentile. */
const PROMISED_UNBROKEN_STREAMS = 16;
const PROMISED_LOOP_DELAY_MS = 10;
const PROMISED_RSS_MB = 900;
const PROMISED_RTF = 0.1;

/** Many streams at once: closed loops of growing width, the promised loads, and random arrivals. */
export const streams: Job = async ({ server, samples, target }) => {
  const text = replies(3);
  const results: Array<{ arrangement: Arrangement } & LoadReport> = [];
  const run = async (arrangement: Arrangement) => {
    const report = await runLoad(server, target(LEVEL), text, arrangement, samples);
    results.push({ arrangement, ...report });
    return report;
  };
  const [single] = [
    await run({ type: 'back to back', streams: 1 }),
    await run({ type: 'back to back', streams: 2 }),
    await run({ type: 'back to back', streams: 4 }),
    await run({ type: 'back to back', streams: PROMISED_STREAMS }),
    await run({ type: 'back to back', streams: PROMISED_UNBROKEN_STREAMS }),
  ];
  const speaking = await run({ type: 'speaking', streams: PROMISED_STREAMS });
  const unbroken = await run({ type: 'speaking', streams: PROMISED_UNBROKEN_STREAMS });
  // Little's law: this rate keeps as many streams speaking on average as the row above.
  const meanSpeechSeconds = single.speechSeconds / single.ttfbMs.n;
  await run({ type: 'random', perSecond: PROMISED_STREAMS / meanSpeechSeconds });
  printResults(results);
  const delaysMs = results.map(({ eventLoopDelayP99Ms }) => eventLoopDelayP99Ms);
  const residentMb = results.map(({ rssBytes }) => rssBytes / 1e6);
  console.log(
    `\n  ${PROMISED_STREAMS} streams speaking, TTFB p99: ${verdict(speaking.ttfbMs.p99, TARGET_MS)}\n` +
      `  ${PROMISED_UNBROKEN_STREAMS} streams speaking, TTFB p95: ${verdict(unbroken.ttfbMs.p95, TARGET_MS)}\n` +
      `  ${PROMISED_UNBROKEN_STREAMS} streams speaking, underruns: ${verdict(unbroken.underruns, 0)}\n` +
      `  Event-loop delay p99, ms: ${verdict(highest(delaysMs), PROMISED_LOOP_DELAY_MS)}\n` +
      `  Resident memory, MB: ${verdict(highest(residentMb), PROMISED_RSS_MB)}\n` +
      `  RTF of one stream: ${verdict(single.rtf, PROMISED_RTF)}`,
  );
  return results;
};

function printResults(results: ReadonlyArray<{ arrangement: Arrangement } & LoadReport>): void {
  printTable(
    `TTFB and playout under load, level ${LEVEL}, ms`,
    results.map(({ arrangement, ttfbMs, gapsMs, ...report }) => ({
      load: describeLoad(arrangement),
      n: ttfbMs.n,
      p50: round(ttfbMs.p50, 0),
      p90: round(ttfbMs.p90, 0),
      p95: round(ttfbMs.p95, 0),
      p99: round(ttfbMs.p99, 0),
      max: round(ttfbMs.max, 0),
      'gap p99': round(gapsMs.p99, 0),
      underruns: report.underruns,
      'missing frames': report.missingFrames,
      refused: Object.values(report.refusals).reduce((sum, count) => sum + count, 0),
    })),
  );
  printTable(
    'The server meanwhile',
    results.map(
      (report): Record<string, Cell> => ({
        load: describeLoad(report.arrangement),
        'speech s': round(report.speechSeconds, 0),
        'times real time': round(report.speechSeconds / report.wallSeconds, 1),
        RTF: round(report.rtf, 3),
        'loop delay p99 ms': round(report.eventLoopDelayP99Ms, 1),
        'resident MB': round(report.rssBytes / 1e6, 0),
      }),
    ),
  );
}

function describeLoad(arrangement: Arrangement): string {
  return arrangement.type === 'random'
    ? `random, ${arrangement.perSecond.toFixed(1)} a second`
    : `${arrangement.streams} ${arrangement.type}`;
}

function highest(values: ReadonlyArray<number | null>): number | null {
  return percentile(
    values.filter((value) => value !== null),
    1,
  );
}
