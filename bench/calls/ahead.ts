import { gapsOf } from '../../src/tools/desk-phone/gaps.ts';
import { replies } from '../latency/replies.ts';
import { printTable, round } from '../latency/report.ts';
import type { ServerProcess } from '../latency/server-process.ts';
import { type Summary, summarise } from '../latency/statistics.ts';
import { type BenchCall, closeCalls, nextAudioMs, openCalls } from './bench-call.ts';

const CALLS = 16;
/** What bots say before anybody has heard a word of it. */
const TURNS_AHEAD = [1, 5] as const;

export interface AheadReport {
  readonly turnsAhead: number;
  /** From the bot's texts to the first message with audio at the carrier. */
  readonly wordMs: Summary;
  readonly underruns: number;
  readonly missingMs: number;
}

/**
 * Bots that queue turns ahead, all at the same moment: what nobody hears for seconds must not delay
 * what is heard next.
 */
export async function measureAhead(server: ServerProcess): Promise<readonly AheadReport[]> {
  const reports: AheadReport[] = [];
  for (const turnsAhead of TURNS_AHEAD) reports.push(await measureRow(server, turnsAhead));
  printTable(
    `${CALLS} calls whose bots queue turns ahead`,
    reports.map(({ turnsAhead, wordMs, underruns, missingMs }) => ({
      'turns ahead': turnsAhead,
      n: wordMs.n,
      'word p50': round(wordMs.p50, 0),
      p95: round(wordMs.p95, 0),
      max: round(wordMs.max, 0),
      underruns,
      'missing ms': round(missingMs, 0),
    })),
  );
  return reports;
}

async function measureRow(server: ServerProcess, turnsAhead: number): Promise<AheadReport> {
  const calls = await openCalls(server, CALLS);
  const text = replies(23);
  const heard = await Promise.all(calls.map((call) => speakAhead(call, text, turnsAhead)));
  await closeCalls(calls);
  const gapsMs = heard.flatMap(({ gapsMs: each }) => each);
  return {
    turnsAhead,
    wordMs: summarise(heard.map(({ wordMs }) => wordMs)),
    underruns: gapsMs.length,
    missingMs: gapsMs.reduce((sum, ms) => sum + ms, 0),
  };
}

async function speakAhead(
  call: BenchCall,
  text: Iterator<string, never>,
  turnsAhead: number,
): Promise<{ wordMs: number; gapsMs: number[] }> {
  const { phone, bot } = call;
  const saidMs = performance.now();
  let last = '';
  for (let turn = 0; turn < turnsAhead; turn++) last = bot.say(text.next().value);
  const firstMs = await nextAudioMs(call, saidMs);
  const { atMs } = await bot.heard(last);
  const gapsMs = gapsOf(phone.log)
    .filter(
      ({ startMs, lengthMs }) =>
        phone.startMs + startMs >= firstMs && phone.startMs + startMs + lengthMs <= atMs,
    )
    .map(({ lengthMs }) => lengthMs);
  return { wordMs: firstMs - saidMs, gapsMs };
}
