import { afterEach, beforeEach, describe, expect } from 'vitest';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { readTones } from '../../support/tone-engine.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

/** The rate at which the tones of the engine can be read back. */
const RATE = 22_050;
const TONE_BYTES = 2 * 1024;

let server: StreamServer;
let logLines: string[];

beforeEach(async () => {
  logLines = [];
  server = await startStreamServer({ failOn: '%', logLines });
});
afterEach(async () => {
  server.engine.release();
  await server[Symbol.asyncDispose]();
});

const address = (query: string, voiceId = VOICE_ID) =>
  `${server.url}/v1/text-to-speech/${voiceId}/jambonz?${query}`;

async function connect(
  query = `voice=&language=en-US&sampleRate=${RATE}`,
  voiceId = VOICE_ID,
): Promise<StreamClient> {
  const client = new StreamClient(address(query, voiceId), { authorization: `Bearer ${KEY}` });
  await client.opened();
  return client;
}

const say = (text: string) => ({ type: 'stream', text });
const FLUSH = { type: 'flush' };
const STOP = { type: 'stop' };
const heard = ({ binary }: StreamClient) => readTones(Buffer.concat(binary));
const untilHeard = (client: StreamClient, symbols: number) =>
  client.untilBinary(symbols * TONE_BYTES);
/** Its answer to a ping shows that the server has read everything before it. */
const answered = ({ socket }: StreamClient) =>
  new Promise<void>((resolve) => {
    socket.once('pong', () => resolve());
    socket.ping();
  });

describe('a jambonz call', () => {
  verifies('jambonz:greeting', 'is greeted before it says anything', async () => {
    for (const [query, rate] of [
      ['', 8000],
      ['sampleRate=8000', 8000],
      ['sampleRate=48000', 48_000],
      ['sampleRate=44100', 32_000],
      ['sampleRate=64000', 48_000],
      ['sampleRate=4000', 8000],
      ['sampleRate=fast', 8000],
    ] as const) {
      const client = await connect(query);
      await client.until(({ type }) => type === 'connect');
      expect(client.frames).toEqual([
        {
          type: 'connect',
          data: { sample_rate: rate, base64_encoding: false },
          'x-trace-id': `${client.headers['x-trace-id']}-0`,
        },
      ]);
      client.socket.close();
    }
  });

  verifies('jambonz:refused', 'is refused at the handshake', async () => {
    const refusals = [
      [address(''), {}, '401'],
      [address(''), { authorization: 'Bearer sk_wrong' }, '401'],
      [address('', 'nobodyNobodyNobody00'), { authorization: `Bearer ${KEY}` }, '404'],
      [address('voice=Joanna'), { authorization: `Bearer ${KEY}` }, '404'],
      [address('optimize_streaming_latency=9'), { authorization: `Bearer ${KEY}` }, '422'],
    ] as const;
    for (const [url, headers, status] of refusals) {
      await expect(new StreamClient(url, { ...headers }).opened()).rejects.toThrow(status);
    }
    expect(server.connections.count).toBe(0);
    expect(logLines.join('')).not.toContain(KEY);
  });

  verifies('jambonz:voice', 'has the voice of its application', async () => {
    const client = await connect(`voice=${VOICE_ID}&sampleRate=8000`, 'nobodyNobodyNobody00');
    client.send(say('Hello.'), FLUSH);
    await client.untilBinary(1);
    client.socket.close();
  });

  verifies(['jambonz:audio', 'jambonz:words'], 'hears PCM, and whole words', async () => {
    const client = await connect();
    const text = 'How can I help you today? One moment please ';
    client.send(say('How can I'), say('help you today?'), say('One moment'), say('please'), FLUSH);
    await untilHeard(client, text.length);
    expect(heard(client)).toBe(text);
    for (const { length } of client.binary) expect(length % 2).toBe(0);
    await answered(client);
    expect(client.frames.map(({ type }) => type)).toEqual(['connect']);
    client.socket.close();
  });

  verifies(
    ['jambonz:stop', 'jambonz:next'],
    'falls silent when it is interrupted, and goes on with the next words',
    async () => {
      const client = await connect();
      const before = 'This is going to be said in part only, and then it is over.';
      client.send(say(before), say('This is never said at all.'), FLUSH);
      await untilHeard(client, 8);
      server.engine.hold();
      // What has been sent by now is on its way; nothing may be added to it.
      client.send(STOP);
      await answered(client);
      const atStop = heard(client);
      expect(before.startsWith(atStop)).toBe(true);
      client.send(say('Of course.'), FLUSH);
      server.engine.release();
      await untilHeard(client, atStop.length + 'Of course.'.length);
      expect(heard(client)).toBe(`${atStop}Of course.`);
      await expect.poll(() => server.engine.liveJobs).toBe(0);
      expect(client.frames).toHaveLength(1);
      client.socket.close();
    },
  );

  verifies('jambonz:stop', 'drops what is buffered, and late flushes with it', async () => {
    const client = await connect();
    client.send(say('Half a sentence'), STOP, FLUSH, STOP, say('Whole.'), FLUSH);
    await untilHeard(client, 'Whole.'.length);
    await answered(client);
    expect(heard(client)).toBe('Whole.');
    client.socket.close();
  });

  verifies('jambonz:stop', 'may be interrupted at any time, again and again', async () => {
    const client = await connect();
    for (let turn = 0; turn < 200; turn++) {
      client.send(say(`Turn number ${turn} is interrupted.`), FLUSH);
      if (turn % 3 === 0) await answered(client);
      client.send(STOP);
    }
    await answered(client);
    const bytes = Buffer.concat(client.binary).length;
    client.send(say('At last.'), FLUSH);
    await client.untilBinary(bytes + 'At last.'.length * TONE_BYTES);
    await answered(client);
    expect(heard(client).endsWith('At last.')).toBe(true);
    expect(Buffer.concat(client.binary).length).toBe(bytes + 'At last.'.length * TONE_BYTES);
    expect(server.engine.liveJobs).toBe(0);
    client.socket.close();
  });

  verifies('jambonz:unknown', 'may say what is not known here', async () => {
    const client = await connect();
    client.send({ type: 'keepalive' }, { type: 'connect', data: {} }, { type: '' }, say(''));
    client.send({ ...say('Fine.'), id: 7, __proto__: null }, FLUSH);
    await untilHeard(client, 'Fine.'.length);
    expect(client.frames).toHaveLength(1);
    client.socket.close();
  });

  verifies('jambonz:error', 'is told what goes wrong', async () => {
    const failing = await connect();
    failing.send(say('It breaks at % here.'), FLUSH);
    expect(await failing.closed).toMatchObject({ code: 1011 });
    expect(failing.frames.at(-1)).toEqual({
      type: 'error',
      error: expect.any(String),
      code: 'internal_error',
      'x-trace-id': `${failing.headers['x-trace-id']}-1`,
    });
    for (const message of ['{', '[]', '{"type":"stream","text":5}', '{}']) {
      const client = await connect();
      client.socket.send(message);
      expect(await client.closed).toMatchObject({ code: 1008 });
      expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'invalid_input_message' });
    }
    const binary = await connect();
    binary.socket.send(Buffer.from('{"type":"flush"}'));
    expect(await binary.closed).toMatchObject({ code: 1008 });
  });
});
