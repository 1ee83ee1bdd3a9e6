import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
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

/** Another vendor's websocket: how a client of it asks for one reply, and knows its audio. */
interface Wire {
  readonly name: string;
  readonly address: (target: SpeechTarget) => string;
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>;
  readonly messages: (target: SpeechTarget, reply: string) => readonly object[];
  /** Undefined for messages that neither carry audio nor refuse it. */
  readonly verdictOf: (data: RawData, isBinary: boolean) => 'audio' | 'refused' | undefined;
}

const WIRES: readonly Wire[] = [
  {
    name: 'Deepgram',
    address: ({ voiceId, level }) =>
      `/v1/speak?model=${voiceId}&encoding=mulaw&optimize_streaming_latency=${level}`,
    headers: (apiKey) => ({ authorization: `Token ${apiKey}` }),
    messages: (_target, reply) => [{ type: 'Speak', text: `${reply} ` }, { type: 'Flush' }],
    verdictOf: (data, isBinary) => {
      if (isBinary) return 'audio';
      return String(data).includes('"Metadata"') ? undefined : 'refused';
    },
  },
  {
    name: 'Cartesia',
    address: () => '/tts/websocket',
    headers: (apiKey) => ({ 'x-api-key': apiKey }),
    messages: ({ voiceId, level }, reply) => [
      {
        ...{ context_id: 'turn', transcript: `${reply} `, continue: false, model_id: 'sonic-3' },
        voice: { mode: 'id', id: voiceId },
        output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
        optimize_streaming_latency: level,
      },
    ],
    verdictOf: (data) => (String(data).includes('"type":"chunk"') ? 'audio' : 'refused'),
  },
];

/** Time to the first audio message of each other wire, beside the first one's for the same reply. */
export const wires: Job = async (bench) => {
  const { ownMs, otherMs } = await sample(bench);
  const own = summarise(ownMs);
  const others = WIRES.map(({ name }, index) => ({ name, ...summarise(otherMs[index] ?? []) }));
  printTable(
    `First audio message at level ${LEVEL}, ms`,
    others.map(({ name, n, p50, p99 }) => {
      const difference = own.p50 === null || p50 === null ? null : p50 - own.p50;
      return {
        ...{ wire: name, n },
        'first wire p50': round(own.p50, 1),
        p50: round(p50, 1),
        'first wire p99': round(own.p99, 1),
        p99: round(p99, 1),
        'difference p50': round(difference, 1),
        'against the target': verdict(difference, PROMISED_DIFFERENCE_MS),
      };
    }),
  );
  return { own, others };
};

/** All say the same reply right after each other, and take turns at going first. */
async function sample({ samples, target }: Bench) {
  const text = replies(5);
  const goal = { ...target(LEVEL), formatName: 'ulaw_8000' };
  const ownMs: number[] = [];
  const otherMs: number[][] = WIRES.map(() => []);
  for (let turn = 0; turn < samples; turn++) {
    const reply = text.next().value;
    const measures = [
      async () => ownMs.push(firstAudioMs(await speak(goal, reply, 'at once', 'onset'))),
      ...WIRES.map((wire, index) => async () => {
        otherMs[index]?.push(await firstMessageMs(wire, goal, reply));
      }),
    ];
    const first = turn % measures.length;
    for (const measure of [...measures.slice(first), ...measures.slice(0, first)]) await measure();
  }
  return { ownMs, otherMs };
}

/**
 * From the text and its flush to the first message with audio, on a connection that is open already.
 * @throws SpeechRefused when the server refuses, or says nothing for 30 s.
 */
async function firstMessageMs(wire: Wire, target: SpeechTarget, reply: string): Promise<number> {
  const socket = new WebSocket(target.origin + wire.address(target), {
    headers: wire.headers(target.apiKey),
    perMessageDeflate: false,
  });
  const giveUp = setTimeout(() => socket.terminate(), GIVE_UP_MS);
  try {
    await once(socket, 'open');
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const heard = firstAudio(socket, wire);
    const sentAtMs = performance.now();
    for (const message of wire.messages(target, reply)) socket.send(JSON.stringify(message));
    return (await heard) - sentAtMs;
  } finally {
    clearTimeout(giveUp);
    socket.terminate();
  }
}

/** @returns when the first audio came. */
function firstAudio(socket: WebSocket, { verdictOf }: Wire): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.on('message', (data, isBinary) => {
      const atMs = performance.now();
      const said = verdictOf(data, isBinary);
      if (said === 'audio') resolve(atMs);
      else if (said === 'refused') reject(new SpeechRefused('refused', String(data)));
    });
    socket.on('close', (code, reason) =>
      reject(new SpeechRefused(`closed ${code}`, String(reason))),
    );
  });
}
