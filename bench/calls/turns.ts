import { type Summary, summarise } from '../latency/statistics.ts';
import { type BenchCall, nextAudioMs, pause } from './bench-call.ts';

/** How long a caller listens before they may interrupt. */
const LISTENED_MS = 700;
const LONGEST_PAUSE_MS = 400;

export interface TurnsReport {
  readonly calls: number;
  /** From the bot's text to the first message with audio at the carrier. */
  readonly wordMs: Summary;
  /** From the bot's clear to silence at the ear; the frame that was playing is counted. */
  readonly silenceMs: Summary;
}

/** Every call speaks and is interrupted, again and again, each on its own time. */
export async function measureTurns(
  calls: readonly BenchCall[],
  replies: Iterator<string, never>,
  samples: number,
): Promise<TurnsReport> {
  const wordMs: number[] = [];
  const silenceMs: number[] = [];
  let begun = 0;
  await Promise.all(
    calls.map(async (call) => {
      await pause(Math.random() * LONGEST_PAUSE_MS);
      while (begun++ < samples) {
        const turn = await takeTurn(call, replies.next().value);
        wordMs.push(turn.wordMs);
        if (turn.silenceMs !== undefined) silenceMs.push(turn.silenceMs);
        await pause(Math.random() * LONGEST_PAUSE_MS);
      }
    }),
  );
  return { calls: calls.length, wordMs: summarise(wordMs), silenceMs: summarise(silenceMs) };
}

async function takeTurn(call: BenchCall, text: string) {
  const { phone, bot } = call;
  const saidMs = performance.now();
  bot.say(text);
  const wordMs = (await nextAudioMs(call, saidMs)) - saidMs;
  await pause(LISTENED_MS);
  const clearsBefore = phone.log.clears.length;
  const clearedMs = performance.now();
  bot.clear();
  await phone.until(({ log }) => log.clears.length > clearsBefore);
  const clear = phone.log.clears[clearsBefore];
  // Undefined when the reply was over before.
  const silentAtMs = clear?.silentAtMs;
  const silenceMs = silentAtMs === undefined ? undefined : phone.startMs + silentAtMs - clearedMs;
  return { wordMs, silenceMs };
}
