import { measureRtf } from '../engine/rtf.ts';
import { printTable, verdict } from '../latency/report.ts';

const RUNS = 7;
/** Promised: what windows may cost, beside one run of the uncut voice in the same process. */
const PROMISED_RTF = 0.1;
const PROMISED_OVERHEAD = 1.35;

/** What the engine costs in windows, for short, medium and long sentences and every window schedule. */
export async function engine(): Promise<unknown> {
  const rows = await measureRtf(RUNS);
  printTable(
    'The engine on one core, CPU ms',
    rows.map(({ sentence, schedule, ...row }) => ({
      sentence,
      windows: schedule,
      'speech ms': row.speechMs,
      text: row.textMs,
      'first audio': row.firstAudioMs,
      'longest window': row.longestWindowMs,
      RTF: row.windowsRtf,
      'RTF uncut': row.oneShotRtf,
      overhead: row.overhead,
    })),
  );
  console.log(
    `\n  Worst RTF: ${verdict(Math.max(...rows.map((row) => row.windowsRtf)), PROMISED_RTF)}\n` +
      `  Worst overhead: ${verdict(Math.max(...rows.map((row) => row.overhead)), PROMISED_OVERHEAD)}`,
  );
  return rows;
}
