import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Bench, Job } from './bench.ts';
import { replies } from './replies.ts';
import { printTable, round, verdict } from './report.ts';
import { SpeechRefused, type SpeechTarget } from './speech-socket.ts';
import { summarise } from './statistics.ts';
import { firstAudioMs, speak } from './utterance.ts';

/** How much later than the first wire's the first audio of another may come, at the median. */
const PROMISED_DIFFERENCE_MS = 2;
const LEVEL = 3;
/** As long as the first wire's socket is left alone before its text goes out. */
const SETTLE_MS = 50;
const GIVE_UP_MS = 30_000;

/** Time to the first audio message of Deepgram's websocket, beside the first wire's for the same reply. */
export const deepgram: Job = async (bench) => {
  const { ownMs, deepgramMs } = await sample(bench);
  const [own, other] = [summarise(ownMs), summarise(deepgramMs)];
  const difference = own.p50 === null || other.p50 === null ? null : other.p50 - own.p50;
  printTable('First audio message of two wires, ms', [
    {
      level: LEVEL,
      n: other.n,
      'first wire p50': round(own.p50, 1),
      'Deepgram p50': round(other.p50, 1),
      'first wire p99': round(own.p99, 1),
      'Deepgram p99': round(other.p99, 1),
      'difference p50': round(difference, 1),
      'against the target': verdict(difference, PROMISED_DIFFERENCE_MS),
    },
  ]);
  return { own, deepgram: other };
};

/** Both say the same reply right after each other, and take turns at going first. */
async function sample({ samples, target }: Bench) {
  const text = replies(5);
  const goal = { ...target(LEVEL), formatName: 'ulaw_8000' };
  const ownMs: number[] = [];
  const deepgramMs: number[] = [];
  for (let turn = 0; turn < samples; turn++) {
    const reply = text.next().value;
    const measures = [
      async () => ownMs.push(firstAudioMs(await speak(goal, reply, 'at once', 'onset'))),
      async () => deepgramMs.push(await firstMessageMs(goal, reply)),
    ];
    for (const measure of turn % 2 === 0 ? measures : measures.toReversed()) await measure();
  }
  return { ownMs, deepgramMs };
}

/**
 * From the text and its flush to the first binary message, on a connection that is open already.
 * @throws SpeechRefused when the server refuses, or says nothing for 30 s.
 */
async function firstMessageMs(target: SpeechTarget, reply: string): Promise<number> {
  const { origin, voiceId, level, apiKey } = target;
  const query = new URLSearchParams({
    model: voiceId,
    encoding: 'mulaw',
    optimize_streaming_latency: String(level),
  });
  const socket = new WebSocket(`${origin}/v1/speak?${query}`, {
    headers: { authorization: `Token ${apiKey}` },
    perMessageDeflate: false,
  });
  const giveUp = setTimeout(() => socket.terminate(), GIVE_UP_MS);
  try {
    await once(socket, 'open');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const heard = firstAudio(socket);
    const sentAtMs = performance.now();
    socket.send(JSON.stringify({ type: 'Speak', text: `${reply} ` }));
    socket.send(JSON.stringify({ type: 'Flush' }));
    return (await heard) - sentAtMs;
  } finally {
    clearTimeout(giveUp);
    socket.terminate();
  }
}

/** @returns when the first audio came. */
function firstAudio(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.on('message', (data, isBinary) => {
      const atMs = performance.now();
      if (isBinary) resolve(atMs);
      else if (!String(data).includes('"Metadata"'))
        reject(new SpeechRefused('refused', String(data)));
    });
    socket.on('close', (code, reason) =>
      reject(new SpeechRefused(`closed ${code}`, String(reason))),
    );
  });
}
