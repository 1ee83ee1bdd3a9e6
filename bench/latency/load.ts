import { playOut } from './playout.ts';
import type { ServerProcess } from './server-process.ts';
import { SpeechRefused, type SpeechTarget } from './speech-socket.ts';
import { stagger } from './stagger.ts';
import { percentile, type Summary, summarise } from './statistics.ts';
import { durationMs, firstAudioMs, speak, type Utterance } from './utterance.ts';

const HEALTH_INTERVAL_MS = 500;

/** When the utterances of a load begin. */
export type Arrangement =
  /** Each stream begins its next one as soon as the last is received: the server is saturated. */
  | { readonly type: 'back to back'; readonly streams: number }
  /** Each stream begins at its own time, and its next one when the last has been played. */
  | { readonly type: 'speaking'; readonly streams: number }
  /** They begin at random times that do not wait for the server: a Poisson process. */
  | { readonly type: 'random'; readonly perSecond: number };

export interface LoadReport {
  readonly ttfbMs: Summary;
  readonly gapsMs: Summary;
  readonly underruns: number;
  readonly missingFrames: number;
  /** Utterances that were refused or failed, by error code. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly speechSeconds: number;
  readonly wallSeconds: number;
  /** Processor seconds of the server per second of speech; null without `/proc`. */
  readonly rtf: number | null;
  /** The median of what the server reported while under load. */
  readonly eventLoopDelayP99Ms: number | null;
  /** The highest that the server reported. */
  readonly rssBytes: number;
}

/** Has `count` replies spoken in the given arrangement, and reports what their listeners heard. */
export async function runLoad(
  server: ServerProcess,
  target: SpeechTarget,
  replies: Iterator<string, never>,
  arrangement: Arrangement,
  count: number,
): Promise<LoadReport> {
  const utterances: Utterance[] = [];
  const refusals: Record<string, number> = {};
  let begun = 0;
  const speakNext = async (): Promise<Utterance | undefined> => {
    begun++;
    try {
      const utterance = await speak(target, replies.next().value, 'at once', 'end');
      utterances.push(utterance);
      return utterance;
    } catch (thrown) {
      if (!(thrown instanceof SpeechRefused)) throw thrown;
      refusals[thrown.code] = (refusals[thrown.code] ?? 0) + 1;
      return undefined;
    }
  };
  const watch = watchHealth(server);
  const cpuBefore = server.cpuSeconds();
  const startedAtMs = performance.now();
  if (arrangement.type === 'random') {
    await arriveAtRandom(arrangement.perSecond, count, speakNext);
  } else {
    const stream = async (_: unknown, index: number) => {
      if (arrangement.type === 'speaking') await stagger(index, arrangement.streams);
      while (begun < count) {
        const utterance = await speakNext();
        if (utterance && arrangement.type === 'speaking') await played(utterance, target);
      }
    };
    await Promise.all(Array.from({ length: arrangement.streams }, stream));
  }
  const wallSeconds = (performance.now() - startedAtMs) / 1000;
  const cpuAfter = server.cpuSeconds();
  const speechSeconds =
    utterances.reduce((sum, utterance) => sum + speechMs(utterance, target), 0) / 1000;
  const playouts = utterances.map(({ arrivals }) => playOut(arrivals, target.formatName));
  return {
    ttfbMs: summarise(utterances.map(firstAudioMs)),
    gapsMs: summarise(playouts.flatMap(({ gapsMs }) => gapsMs)),
    underruns: playouts.reduce((sum, { underruns }) => sum + underruns, 0),
    missingFrames: playouts.reduce((sum, { missingFrames }) => sum + missingFrames, 0),
    refusals,
    speechSeconds,
    wallSeconds,
    rtf: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / speechSeconds,
    ...(await watch.stop()),
  };
}

async function arriveAtRandom(
  perSecond: number,
  count: number,
  begin: () => Promise<unknown>,
): Promise<void> {
  const running: Promise<unknown>[] = [];
  let dueMs = performance.now();
  for (let index = 0; index < count; index++) {
    dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    running.push(begin());
  }
  await Promise.all(running);
}

function speechMs({ arrivals }: Utterance, target: SpeechTarget): number {
  const bytes = arrivals.reduce((sum, { audio }) => sum + audio.length, 0);
  return durationMs(bytes, target.formatName);
}

/** Waits until a listener who began with the first message would have heard the last. */
async function played(utterance: Utterance, target: SpeechTarget): Promise<void> {
  const endMs = utterance.sentAtMs + firstAudioMs(utterance) + speechMs(utterance, target);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, endMs - performance.now())));
}

/** Asks for the server's health twice a second. */
function watchHealth(server: ServerProcess) {
  const delaysMs: number[] = [];
  let rssBytes = 0;
  const look = async () => {
    const { eventLoop, memory } = await server.health();
    delaysMs.push(eventLoop.delayP99Ms);
    rssBytes = Math.max(rssBytes, memory.rssBytes);
  };
  const timer = setInterval(() => void look(), HEALTH_INTERVAL_MS);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      return { eventLoopDelayP99Ms: percentile(delaysMs, 0.5), rssBytes };
    },
  };
}
