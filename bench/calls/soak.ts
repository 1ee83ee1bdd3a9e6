import { type CallReport, reportOf } from '../../src/tools/desk-phone/call-report.ts';
import { replies } from '../latency/replies.ts';
import { printTable, round, verdict } from '../latency/report.ts';
import type { ServerProcess } from '../latency/server-process.ts';
import { type BenchCall, closeCalls, nextAudioMs, openCalls, pause } from './bench-call.ts';

const BYTES_PER_SECOND = 8000;
/** How far ahead of the ear the bots write: never so little that they are waited for. */
const TEXTS_AHEAD = 3;
const SECONDS_AHEAD = 5;
const PROMISED_DRIFT_MS = 20;

/** Two calls in real time that never pause: one is spoken to with text, one with audio. */
export async function soak(server: ServerProcess, minutes: number) {
  const calls = await openCalls(server, 2);
  const [spoken, played] = calls as [BenchCall, BenchCall];
  const untilMs = performance.now() + 60_000 * minutes;
  const [text, audio] = await Promise.all([
    reportFrom(spoken, () => speakOn(spoken, untilMs)),
    reportFrom(played, () => playOn(played, untilMs)),
  ]);
  const reports = { text, audio };
  await closeCalls(calls);
  printTable(
    `One call of ${minutes} minutes, without a pause`,
    Object.entries(reports).map(([bot, report]) => soakRow(bot, report)),
  );
  const drift = Math.max(...Object.values(reports).map(({ lead }) => Math.abs(lead?.driftMs ?? 0)));
  const dry = Object.values(reports).reduce((sum, { underruns }) => sum + underruns.count, 0);
  console.log(
    `\n  Underruns: ${verdict(dry, 0)}\n  Drift, ms: ${verdict(round(drift, 1), PROMISED_DRIFT_MS)}`,
  );
  return reports;
}

/** What the call was like while `act` ran: the pause before it is none of its own. */
async function reportFrom(call: BenchCall, act: () => Promise<void>): Promise<CallReport> {
  const { phone } = call;
  const beganMs = performance.now();
  const [firstMs] = await Promise.all([nextAudioMs(call, beganMs), act()]);
  const fromMs = firstMs - phone.startMs;
  const runs = phone.log.runs.filter(({ endMs }) => endMs > fromMs);
  return reportOf({ ...phone.log, runs });
}

function soakRow(bot: string, report: CallReport) {
  return {
    'the bot sends': bot,
    'heard s': round(report.heardMs / 1000, 1),
    messages: report.messages,
    underruns: report.underruns.count,
    'missing ms': round(report.underruns.totalMs, 1),
    'lead p50 ms': round(report.lead?.p50 ?? null, 0),
    'lead max ms': round(report.lead?.max ?? null, 0),
    'drift ms': round(report.lead?.driftMs ?? null, 1),
    findings: report.findings.length,
  };
}

async function speakOn({ bot }: BenchCall, untilMs: number): Promise<void> {
  const text = replies(11);
  let said = 0;
  const sayNext = () => {
    bot.say(text.next().value);
    bot.mark(`said-${++said}`);
  };
  while (said < TEXTS_AHEAD) sayNext();
  for (let heard = 1; heard <= said; heard++) {
    await bot.marked(`said-${heard}`);
    if (performance.now() < untilMs) sayNext();
  }
}

async function playOn({ bot }: BenchCall, untilMs: number): Promise<void> {
  const second = new Uint8Array(BYTES_PER_SECOND).fill(0xc0);
  const startMs = performance.now();
  let sent = 0;
  while (performance.now() < untilMs) {
    while (startMs + 1000 * (sent - SECONDS_AHEAD) < performance.now()) {
      bot.play(second);
      sent++;
    }
    await pause(200);
  }
  bot.mark('end');
  await bot.marked('end');
}
