import type { Job } from './bench.ts';
import { replies } from './replies.ts';
import { millisecondCells, printTable, round } from './report.ts';
import { SpeechSocket } from './speech-socket.ts';
import { summarise } from './statistics.ts';
import { firstAudioMs, speak } from './utterance.ts';

const SOCKETS = 600;
const SOCKETS_AT_A_TIME = 50;
const WATCHED_MS = 10_000;
const LEVEL = 3;

/** What connections cost that say nothing, and what the one that speaks among them waits. */
export const idle: Job = async ({ server, samples, target }) => {
  const before = await server.health();
  const sockets: SpeechSocket[] = [];
  while (sockets.length < SOCKETS) {
    const opened = Array.from({ length: SOCKETS_AT_A_TIME }, () =>
      SpeechSocket.open(target(LEVEL)),
    );
    sockets.push(...(await Promise.all(opened)));
  }
  const cpuBefore = server.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
  const cpuAfter = server.cpuSeconds();
  const after = await server.health();
  const text = replies(4);
  const waits: number[] = [];
  while (waits.length < samples) {
    const reply = text.next().value;
    waits.push(firstAudioMs(await speak(target(LEVEL), reply, 'at once', 'onset')));
  }
  for (const socket of sockets) socket.hangUp();
  const result = {
    sockets: SOCKETS,
    rssBytesBefore: before.memory.rssBytes,
    rssBytes: after.memory.rssBytes,
    coreShare:
      cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / (WATCHED_MS / 1000),
    ttfbMs: summarise(waits),
  };
  printTable(`${SOCKETS} idle connections`, [
    {
      'resident MB before': round(result.rssBytesBefore / 1e6, 0),
      'with them': round(result.rssBytes / 1e6, 0),
      '% of a core': result.coreShare === null ? null : round(100 * result.coreShare, 2),
      'loop delay p99 ms': round(after.eventLoop.delayP99Ms, 1),
    },
  ]);
  printTable('TTFB of one stream among them, ms', [millisecondCells(result.ttfbMs)]);
  return result;
};
