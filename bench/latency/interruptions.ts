import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from './bench.ts';
import { MultiSocket } from './multi-socket.ts';
import { replies } from './replies.ts';
import { millisecondCells, printTable, round, verdict } from './report.ts';
import type { SpeechTarget } from './speech-socket.ts';
import { summarise } from './statistics.ts';

const LEVEL = 3;
const INTERRUPTIONS = 8;
/** How soon a caller interrupts again. */
const BETWEEN_MS = 150;
/** A sample takes two seconds. */
const SAMPLES_A_ROW = 5;
/** Times the wait of a new connection. */
const PROMISED_RATIO = 1.2;

/** What a turn waits after many that were interrupted, beside the same on a connection of its own. */
export const interruptions: Job = async ({ samples, target }) => {
  const text = replies(19);
  const freshMs: number[] = [];
  const afterMs: number[] = [];
  for (let sample = 0; sample < Math.ceil(samples / SAMPLES_A_ROW); sample++) {
    freshMs.push(await turnMs(target(LEVEL), text, 0));
    afterMs.push(await turnMs(target(LEVEL), text, INTERRUPTIONS));
  }
  const result = { freshMs: summarise(freshMs), afterMs: summarise(afterMs) };
  printTable(`TTFB after ${INTERRUPTIONS} turns that were interrupted, level ${LEVEL}, ms`, [
    { connection: 'fresh', ...millisecondCells(result.freshMs) },
    { connection: 'interrupted', ...millisecondCells(result.afterMs) },
  ]);
  const { p50: fresh } = result.freshMs;
  const { p50: after } = result.afterMs;
  const ratio = fresh === null || after === null ? null : round(after / fresh, 2);
  console.log(`\n  Interrupted against fresh, p50: ${ratio} ${verdict(ratio, PROMISED_RATIO)}`);
  return result;
};

/** @returns how long what is said after so many interrupted turns waits for its first audio. */
async function turnMs(
  target: SpeechTarget,
  text: Iterator<string, never>,
  interrupted: number,
): Promise<number> {
  const socket = await MultiSocket.open(target);
  for (let turn = 0; turn < interrupted; turn++) {
    socket.say(`interrupted-${turn}`, `${text.next().value} ${text.next().value}`);
    await sleep(BETWEEN_MS);
  }
  const reply = text.next().value;
  const sentAtMs = performance.now();
  socket.say('next', reply);
  const waitMs = (await socket.firstAudioMs('next')) - sentAtMs;
  socket.hangUp();
  // What was cut off must not delay the next sample.
  await sleep(BETWEEN_MS);
  return waitMs;
}
