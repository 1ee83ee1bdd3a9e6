import { replies } from '../latency/replies.ts';
import { printTable, round, verdict } from '../latency/report.ts';
import type { ServerProcess } from '../latency/server-process.ts';
import { type BenchCall, closeCalls, openCalls } from './bench-call.ts';
import { type BridgeCost, idleCores, measureBridge } from './bridge-cost.ts';
import { withPhoneServer } from './phone-server.ts';
import { soak } from './soak.ts';
import { measureSpeaking, type SpeakingReport } from './speaking.ts';
import { measureTurns, type TurnsReport } from './turns.ts';

/** How many calls at once, row by row. */
const CALLS = [1, 8, 20] as const;
const PROMISED_CALLS = 8;
const PROMISED_UNBROKEN_CALLS = 20;
const PROMISED_WORD_P50_MS = 80;
const PROMISED_WORD_P95_MS = 150;
const PROMISED_SILENCE_MS = 60;
const PROMISED_CORE_PERCENT = 1;
/** A reply takes five seconds to speak: so many samples for each utterance of a call. */
const SAMPLES_PER_UTTERANCE = 20;

export interface CallsOptions {
  /** Turns of each row. */
  readonly samples: number;
  /** Instead of everything else: calls of this length, in real time. */
  readonly minutes: number | undefined;
}

/** Phone calls through the whole bridge: simulated carrier, server in a process of its own, bot. */
export async function calls({ samples, minutes }: CallsOptions): Promise<unknown> {
  return withPhoneServer(async (server) => {
    if (minutes !== undefined) return soak(server, minutes);
    const idle = await idleCores(server);
    const rows = [];
    for (const count of CALLS) rows.push(await measureRow(server, { count, samples, idle }));
    printRows(rows);
    return { idleCores: idle, rows };
  });
}

interface Row {
  readonly turns: TurnsReport;
  readonly speaking: SpeakingReport;
  readonly bridge: BridgeCost;
}

async function measureRow(
  server: ServerProcess,
  row: { readonly count: number; readonly samples: number; readonly idle: number | null },
): Promise<Row> {
  const text = replies(7 + row.count);
  const utterances = Math.max(1, Math.round(row.samples / SAMPLES_PER_UTTERANCE));
  // Separate calls for each: what one leaves in their logs is no part of the next.
  const turns = await withCalls(server, row.count, (open) => measureTurns(open, text, row.samples));
  const speaking = await withCalls(server, row.count, (open) =>
    measureSpeaking(server, open, text, utterances),
  );
  const bridge = await withCalls(server, row.count, (open) =>
    measureBridge(server, open, row.idle),
  );
  return { turns, speaking, bridge };
}

async function withCalls<T>(
  server: ServerProcess,
  count: number,
  measure: (open: readonly BenchCall[]) => Promise<T>,
): Promise<T> {
  const open = await openCalls(server, count);
  try {
    return await measure(open);
  } finally {
    await closeCalls(open);
  }
}

function printRows(rows: readonly Row[]): void {
  printTable(
    'From the word of a bot to the first frame at the carrier, and from its clear to silence, ms',
    rows.map(({ turns: { calls: count, wordMs, silenceMs } }) => ({
      calls: count,
      n: wordMs.n,
      'word p50': round(wordMs.p50, 1),
      p95: round(wordMs.p95, 1),
      max: round(wordMs.max, 1),
      'silence p50': round(silenceMs.p50, 1),
      'p95 ': round(silenceMs.p95, 1),
      'max ': round(silenceMs.max, 1),
    })),
  );
  printTable(
    'All calls speaking at once, and what the bridge takes for each',
    rows.map(({ speaking, bridge }) => ({
      calls: speaking.calls,
      utterances: speaking.utterances,
      'speech s': round(speaking.speechSeconds, 0),
      underruns: speaking.underruns,
      'missing ms': round(speaking.missingMs, 1),
      'loop delay p99 ms': round(speaking.eventLoopDelayP99Ms, 1),
      'silent call, % of a core': percent(bridge.silentCoreShare),
      'playing call': percent(bridge.playingCoreShare),
      'its loop delay': round(bridge.eventLoopDelayP99Ms, 1),
    })),
  );
  const promised = rows.find(({ turns }) => turns.calls === PROMISED_CALLS);
  const unbroken = rows.find(({ speaking }) => speaking.calls === PROMISED_UNBROKEN_CALLS);
  console.log(
    `\n  ${PROMISED_CALLS} calls, word to first frame, p50: ${verdict(promised?.turns.wordMs.p50 ?? null, PROMISED_WORD_P50_MS)}\n` +
      `  ${PROMISED_CALLS} calls, word to first frame, p95: ${verdict(promised?.turns.wordMs.p95 ?? null, PROMISED_WORD_P95_MS)}\n` +
      `  ${PROMISED_CALLS} calls, clear to silence, p95: ${verdict(promised?.turns.silenceMs.p95 ?? null, PROMISED_SILENCE_MS)}\n` +
      `  ${PROMISED_UNBROKEN_CALLS} calls speaking, underruns: ${verdict(unbroken?.speaking.underruns ?? null, 0)}\n` +
      `  ${PROMISED_UNBROKEN_CALLS} calls, bridge, % of a core a call: ${verdict(percent(unbroken?.bridge.playingCoreShare ?? null), PROMISED_CORE_PERCENT)}`,
  );
}

function percent(share: number | null): number | null {
  return share === null ? null : round(100 * share, 2);
}
