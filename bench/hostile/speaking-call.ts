import { gapsOf } from '../../src/tools/desk-phone/gaps.ts';
import { type BenchCall, nextAudioMs } from '../calls/bench-call.ts';

const BYTES_PER_MS = 8;
/** A bot that is not heard for this long has lost its server. */
const GIVE_UP_MS = 20_000;

export interface HeardCall {
  readonly utterances: number;
  readonly underruns: number;
  /** The least audio that waited at the carrier when more came; below zero, for how long none did. */
  readonly leastLeadMs: number | null;
  /** The longest from a bot's word to its first audio. */
  readonly slowestWordMs: number | null;
  /** Whether the call was over, or silent for good, before the end. */
  readonly isLost: boolean;
}

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Has a bot say one reply after the other, and tells how they were heard. */
export async function speakUntil(
  call: BenchCall,
  replies: Iterator<string, never>,
  isOver: () => boolean,
): Promise<HeardCall> {
  const spoken: Stretch[] = [];
  const wordsMs: number[] = [];
  let isLost = false;
  while (!isOver() && !isLost) {
    const stretch = await withinLimit(sayOne(call, replies.next().value, wordsMs));
    if (stretch) spoken.push(stretch);
    else isLost = true;
  }
  return { ...heard(call, spoken), slowestWordMs: highest(wordsMs), isLost };
}

async function sayOne(call: BenchCall, text: string, wordsMs: number[]): Promise<Stretch> {
  const { phone, bot } = call;
  const saidMs = performance.now();
  const context = bot.say(text);
  const firstMs = await nextAudioMs(call, saidMs);
  wordsMs.push(firstMs - saidMs);
  const { atMs } = await bot.heard(context);
  return { fromMs: firstMs - phone.startMs, toMs: atMs - phone.startMs };
}

function heard({ phone }: BenchCall, spoken: readonly Stretch[]) {
  const { log } = phone;
  const gapsMs = gapsOf(log)
    .filter(({ startMs, lengthMs }) =>
      spoken.some(({ fromMs, toMs }) => startMs >= fromMs && startMs + lengthMs <= toMs),
    )
    .map(({ lengthMs }) => lengthMs);
  const leadsMs = log.arrivals
    .filter(({ atMs }) => spoken.some(({ fromMs, toMs }) => atMs > fromMs + 1 && atMs <= toMs))
    .map(({ queuedMs, bytes }) => queuedMs - bytes / BYTES_PER_MS);
  const leastMs = [...leadsMs, ...gapsMs.map((lengthMs) => -lengthMs)];
  return {
    utterances: spoken.length,
    underruns: gapsMs.length,
    leastLeadMs: leastMs.length === 0 ? null : Math.min(...leastMs),
  };
}

/** @returns undefined when it takes too long, or the call's connections end. */
async function withinLimit<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), GIVE_UP_MS);
  });
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

function highest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}
