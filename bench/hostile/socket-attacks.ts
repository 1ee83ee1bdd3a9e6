import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { replies } from '../latency/replies.ts';
import { type Attack, type AttackLog, type AttackTarget, untilOver } from './attack.ts';

/** As much as one message may hold. */
const MESSAGE_BYTES = 60 * 1024;
const LONG_TEXTS_AT_ONCE = 5;
const STALLED_READERS = 30;
/** How many times the rated streams speak. */
const OVERLOAD = 3;
/** After a refusal: what clients of speech wait, as a rule, before they connect again. */
const RETRY_MS = 1000;
const REPLY_CHARACTERS_PER_S = 16;

/** Sixty kilobytes of plain prose in one message, five clients at a time. */
export const longText: Attack = async (target, log) => {
  const prose = 'It was a quiet morning, and nobody had come to the shop yet. ';
  const text = prose.repeat(MESSAGE_BYTES / prose.length);
  await untilOver(log, LONG_TEXTS_AT_ONCE, async () => {
    const client = await Client.open(target, log, 'stream-input');
    client.send({ text: `${text} `, flush: true });
    await Promise.race([client.closed, sleep(1000)]);
    client.end();
  });
};

/** Clients that ask for minutes of speech and read nothing. */
export const stalledReaders: Attack = async (target, log) => {
  const text = [...Array(20)].map(() => 'This is said to nobody who listens to it. ').join('');
  await untilOver(log, STALLED_READERS, async () => {
    const client = await Client.open(target, log, 'stream-input', 'pcm_24000');
    client.send({ text, flush: true });
    client.stopReading();
    await Promise.race([client.closed, sleep(log.leftMs)]);
    client.end();
  });
};

/** Three times as many listeners as the server is rated for; each speaks on when its reply has been played. */
export const overload: Attack = async (target, log) => {
  const text = replies(13);
  await untilOver(log, OVERLOAD * target.ratedStreams, async () => {
    const client = await Client.open(target, log, 'stream-input');
    const reply = text.next().value;
    client.send({ text: `${reply} `, flush: true });
    client.send({ text: '' });
    const startMs = performance.now();
    await Promise.race([client.closed, sleep(log.leftMs)]);
    client.end();
    const playedMs = client.isRefused ? RETRY_MS : (1000 * reply.length) / REPLY_CHARACTERS_PER_S;
    await sleep(Math.min(log.leftMs, Math.max(0, startMs + playedMs - performance.now())));
  });
};

/** A client of a websocket of speech that looks at nothing but refusals. */
class Client {
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  isRefused = false;
  #isHeard = false;
  #sentAtMs = performance.now();

  private constructor(socket: WebSocket, log: AttackLog) {
    this.#socket = socket;
    const refuse = () => {
      // What comes behind audio is no answer to what was asked, but the end of what was let in.
      if (this.isRefused || this.#isHeard) return;
      this.isRefused = true;
      log.refused(performance.now() - this.#sentAtMs);
    };
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('"error"')) refuse();
      else if (text.includes('"audio":"')) this.#isHeard = true;
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
    // Refused before it was a websocket.
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      refuse();
      socket.terminate();
    });
  }

  static async open(
    { port, voiceId, apiKey }: AttackTarget,
    log: AttackLog,
    path: string,
    format = 'ulaw_8000',
  ): Promise<Client> {
    const query = `output_format=${format}&optimize_streaming_latency=3`;
    const socket = new WebSocket(
      `ws://127.0.0.1:${port}/v1/text-to-speech/${voiceId}/${path}?${query}`,
      { headers: { 'xi-api-key': apiKey }, perMessageDeflate: false },
    );
    log.sent();
    const client = new Client(socket, log);
    await Promise.race([new Promise((resolve) => socket.once('open', resolve)), client.closed]);
    return client;
  }

  send(frame: object): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#sentAtMs = performance.now();
    this.#socket.send(JSON.stringify(frame));
  }

  stopReading(): void {
    this.#socket.pause();
  }

  end(): void {
    this.#socket.terminate();
  }
}
