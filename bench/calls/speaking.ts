import { gapsOf } from '../../src/tools/desk-phone/gaps.ts';
import type { ServerProcess } from '../latency/server-process.ts';
import { stagger } from '../latency/stagger.ts';
import { type BenchCall, nextAudioMs } from './bench-call.ts';

export interface SpeakingReport {
  readonly calls: number;
  readonly utterances: number;
  readonly underruns: number;
  /** Silence within utterances, in all and at its longest. */
  readonly missingMs: number;
  readonly longestMs: number;
  readonly speechSeconds: number;
  readonly eventLoopDelayP99Ms: number;
}

/**
 * Every call begins at its own time and speaks to the end of its last reply; what is silent within an
 * utterance is an underrun.
 */
export async function measureSpeaking(
  server: ServerProcess,
  calls: readonly BenchCall[],
  replies: Iterator<string, never>,
  utterancesPerCall: number,
): Promise<SpeakingReport> {
  const gaps = await Promise.all(
    calls.map(async (call, index) => {
      await stagger(index, calls.length);
      return speakThrough(call, replies, utterancesPerCall);
    }),
  );
  const lengths = gaps.flat();
  const heardMs = calls
    .flatMap(({ phone }) => phone.log.runs)
    .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return {
    calls: calls.length,
    utterances: calls.length * utterancesPerCall,
    underruns: lengths.length,
    missingMs: lengths.reduce((sum, length) => sum + length, 0),
    longestMs: lengths.reduce((longest, length) => Math.max(longest, length), 0),
    speechSeconds: heardMs / 1000,
    eventLoopDelayP99Ms: (await server.health()).eventLoop.delayP99Ms,
  };
}

/** @returns how long each gap within an utterance was. */
async function speakThrough(
  call: BenchCall,
  replies: Iterator<string, never>,
  utterances: number,
): Promise<number[]> {
  const { phone, bot } = call;
  const spoken: { fromMs: number; toMs: number }[] = [];
  for (let index = 0; index < utterances; index++) {
    const saidMs = performance.now();
    const context = bot.say(replies.next().value);
    const fromMs = (await nextAudioMs(call, saidMs)) - phone.startMs;
    const { atMs } = await bot.heard(context);
    spoken.push({ fromMs, toMs: atMs - phone.startMs });
  }
  return gapsOf(phone.log)
    .filter(({ startMs, lengthMs }) =>
      spoken.some(({ fromMs, toMs }) => startMs >= fromMs && startMs + lengthMs <= toMs),
    )
    .map(({ lengthMs }) => lengthMs);
}
