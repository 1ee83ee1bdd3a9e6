import { Agent, type IncomingMessage, request } from 'node:http';
import { type Bench, type Job, LEVELS } from './bench.ts';
import { replies } from './replies.ts';
import { printTable, round, verdict } from './report.ts';
import { SpeechRefused, type SpeechTarget } from './speech-socket.ts';
import { type Summary, summarise } from './statistics.ts';
import { firstAudioMs, speak } from './utterance.ts';

/** How much later than the websocket's the first byte of a streamed reply may come. */
const PROMISED_DIFFERENCE_MS = 20;
/** As long as the websocket is left alone before its text goes out. */
const SETTLE_MS = 50;

/** Time to the first byte of `POST …/stream`, beside the websocket's for the same reply. */
export const rest: Job = async (bench) => {
  const results = (await sample(bench)).map(({ level, socketMs, restMs }) => ({
    level,
    socketMs: summarise(socketMs),
    restMs: summarise(restMs),
  }));
  printTable(
    'First byte of a streamed REST reply, and first audio message of a websocket, ms',
    results.map(({ level, socketMs, restMs }) => {
      const difference = round(differenceOf(restMs, socketMs), 1);
      return {
        level,
        n: restMs.n,
        'websocket p50': round(socketMs.p50, 1),
        'REST p50': round(restMs.p50, 1),
        'websocket p99': round(socketMs.p99, 1),
        'REST p99': round(restMs.p99, 1),
        'difference p50': difference,
        'against the target': verdict(difference, PROMISED_DIFFERENCE_MS),
      };
    }),
  );
  return results;
};

function differenceOf(one: Summary, other: Summary): number | null {
  return one.p50 === null || other.p50 === null ? null : one.p50 - other.p50;
}

/** Both doors say the same reply right after each other, and take turns at going first. */
async function sample({ samples, target }: Bench) {
  const text = replies(4);
  const rows = LEVELS.map((level) => ({
    level,
    socketMs: [] as number[],
    restMs: [] as number[],
  }));
  for (let turn = 0; turn < samples; turn++) {
    const reply = text.next().value;
    for (const { level, socketMs, restMs } of rows) {
      const goal = target(level);
      const measures = [
        async () => socketMs.push(firstAudioMs(await speak(goal, reply, 'at once', 'onset'))),
        async () => restMs.push(await firstByteMs(goal, reply)),
      ];
      for (const measure of turn % 2 === 0 ? measures : measures.toReversed()) await measure();
    }
  }
  return rows;
}

/**
 * From the request to the first byte of its body, on a connection that is open already. The caller
 * hangs up then.
 *
 * @throws SpeechRefused when the server answers with an error or not at all.
 */
async function firstByteMs(target: SpeechTarget, reply: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await connect(target, agent);
    const sentAtMs = performance.now();
    const response = await post(target, agent, reply);
    if (response.statusCode !== 200) throw await refusal(response);
    await new Promise((resolve, reject) => {
      response.once('data', resolve);
      response.once('error', reject);
      response.once('end', () => reject(new SpeechRefused('no_audio', 'The reply was empty.')));
    });
    return performance.now() - sentAtMs;
  } finally {
    agent.destroy();
  }
}

/** Opens the connection that the request will use: another request goes over it first. */
async function connect({ origin }: SpeechTarget, agent: Agent): Promise<void> {
  const response = await answer(request(new URL('/health', httpOrigin(origin)), { agent }).end());
  await response.toArray();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

function post(target: SpeechTarget, agent: Agent, text: string): Promise<IncomingMessage> {
  const url = new URL(`/v1/text-to-speech/${target.voiceId}/stream`, httpOrigin(target.origin));
  url.searchParams.set('output_format', target.formatName);
  url.searchParams.set('optimize_streaming_latency', String(target.level));
  const headers = { 'xi-api-key': target.apiKey, 'content-type': 'application/json' };
  const sent = request(url, { agent, method: 'POST', headers });
  return answer(sent.end(JSON.stringify({ text, model_id: target.modelId })));
}

function answer(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', ({ message }) => reject(new SpeechRefused('connection', message)));
  });
}

async function refusal(response: IncomingMessage): Promise<SpeechRefused> {
  const body = Buffer.concat(await response.toArray()).toString();
  return new SpeechRefused(`HTTP ${response.statusCode}`, body);
}

function httpOrigin(origin: string): string {
  return origin.replace(/^ws/, 'http');
}
