import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { readTones } from '../../support/tone-engine.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

/** The rate at which the tones of the engine can be read back. */
const RATE = 22_050;
const TONE_BYTES = 2 * 1024;

let server: StreamServer;

beforeAll(async () => {
  server = await startStreamServer({ failOn: '%' });
});
afterEach(async () => {
  server.engine.release();
  await expect.poll(() => server.connections.count).toBe(0);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const address = (query: string) => `${server.url}/v1/speak?${query}`;

async function connect(query = `sample_rate=${RATE}`): Promise<StreamClient> {
  const client = new StreamClient(address(query), { authorization: `Token ${KEY}` });
  await client.opened();
  return client;
}

/** What the answer to a refused handshake says. */
async function refusal(query: string, headers: Record<string, string>) {
  const socket = new WebSocket(address(query), { headers });
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(body) };
}

const say = (text: string) => ({ type: 'Speak', text });
const FLUSH = { type: 'Flush' };
const CLEAR = { type: 'Clear' };
const CLOSE = { type: 'Close' };
const heard = ({ binary }: StreamClient) => readTones(Buffer.concat(binary));
const typesOf = ({ frames }: StreamClient) => frames.map(({ type }) => type);
const told = (client: StreamClient, type: string, sequenceId = 0) =>
  client.until(
    (frame) =>
      frame.type === type &&
      (frame as unknown as { sequence_id: number }).sequence_id === sequenceId,
  );

describe('a Deepgram connection', () => {
  verifies('deepgram:metadata', 'begins with who speaks, and with what is not done', async () => {
    const client = await connect('bit_rate=48000&container=none&speed=1.5');
    client.send(CLOSE);
    await client.closed;
    const [metadata, ...others] = client.frames;
    expect(metadata).toEqual({
      type: 'Metadata',
      request_id: client.headers['x-trace-id'],
      model_name: VOICE_ID,
      model_version: 'tone',
      model_uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-/),
    });
    expect(others).toEqual([
      {
        type: 'Warning',
        code: 'PARAMETER_NOT_USED',
        description: expect.stringMatching(/bit_rate/),
      },
      { type: 'Warning', code: 'PARAMETER_NOT_USED', description: expect.stringMatching(/1\.2/) },
    ]);
  });

  verifies('deepgram:refused', 'is refused at the handshake, in its own shape', async () => {
    const good = { authorization: `Token ${KEY}` };
    const refusals = [
      ['', {}, 401, 'INVALID_AUTH', /API key/],
      ['', { authorization: 'Token sk_wrong' }, 401, 'INVALID_AUTH', /not valid/],
      ['model=aura-2-nobody-en', good, 400, 'INVALID_QUERY_PARAMETER', /aura-2-nobody-en/],
      ['encoding=mp3', good, 400, 'UNSUPPORTED_AUDIO_FORMAT', /linear16, mulaw, alaw/],
      ['sample_rate=11025', good, 400, 'UNSUPPORTED_AUDIO_FORMAT', /8000/],
      ['sample_rate=much', good, 400, 'INVALID_QUERY_PARAMETER', /sample_rate/],
      ['speed=fast', good, 400, 'INVALID_QUERY_PARAMETER', /speed/],
    ] as const;
    for (const [query, headers, status, code, message] of refusals) {
      const answer = await refusal(query, headers);
      expect(answer.status, query).toBe(status);
      expect(answer.body).toEqual({
        err_code: code,
        err_msg: expect.stringMatching(message),
        request_id: answer.headers['dg-request-id'],
      });
      expect(answer.headers['dg-error']).toBe(answer.body.err_msg);
    }
    const plain = await fetch(`${server.url.replace('ws', 'http')}/v1/speak`);
    expect([plain.status, await plain.json()]).toMatchObject([
      426,
      { err_code: 'UPGRADE_REQUIRED' },
    ]);
  });

  verifies('deepgram:key', 'takes its key as its clients give it', async () => {
    for (const authorization of [`Token ${KEY}`, `token ${KEY}`, `Bearer ${KEY}`]) {
      const client = new StreamClient(address(''), { authorization });
      await client.opened();
      client.send(CLOSE);
      expect((await client.closed).code).toBe(1000);
    }
    const browser = new WebSocket(address(''), ['token', KEY]);
    await once(browser, 'open');
    expect(browser.protocol).toBe('token');
    browser.close();
  });

  verifies('deepgram:audio', 'speaks by itself, as raw audio', async () => {
    const client = await connect();
    const text = 'How can I help you today? One moment please, ';
    client.send(say('How can I '), say('help you '), say('today? '), say('One moment please, '));
    await client.untilBinary(TONE_BYTES * 'How can I'.length);
    client.send(CLOSE);
    await client.closed;
    expect(text.startsWith(heard(client).trimEnd())).toBe(true);
    expect(typesOf(client)).toEqual(['Metadata']);
    const phone = await connect('encoding=mulaw');
    phone.send(say('Hello.'), FLUSH);
    await told(phone, 'Flushed');
    expect(Buffer.concat(phone.binary).length).toBeGreaterThan(1000);
    phone.socket.close();
  });

  verifies('deepgram:flush', 'is told behind the audio that all of it was sent', async () => {
    const client = await connect();
    client.send(FLUSH);
    await told(client, 'Flushed', 0);
    expect(client.binary).toEqual([]);
    client.send(say('First, the one '), say('turn'), FLUSH);
    await told(client, 'Flushed', 1);
    expect(heard(client).trimEnd()).toBe('First, the one turn');
    client.send(say('Now the other'), FLUSH);
    await told(client, 'Flushed', 2);
    expect(heard(client)).toContain('Now the other');
    client.send(CLOSE);
    await client.closed;
    expect(typesOf(client)).toEqual(['Metadata', 'Flushed', 'Flushed', 'Flushed']);
  });

  verifies('deepgram:clear', 'falls silent at once, and goes on with the next text', async () => {
    const client = await connect();
    const before = 'This is going to be said in part only, and then it is over.';
    client.send(say(before), say(' This is never said at all.'), FLUSH);
    await client.untilBinary(8 * TONE_BYTES);
    server.engine.hold();
    client.send(CLEAR);
    await told(client, 'Cleared', 0);
    const atClear = heard(client);
    expect(before.startsWith(atClear)).toBe(true);
    server.engine.release();
    client.send(CLEAR, FLUSH, say('Now this.'), FLUSH);
    await told(client, 'Flushed', 3);
    expect(heard(client).slice(atClear.length).trimEnd()).toBe('Now this.');
    client.send(CLOSE);
    await client.closed;
    expect(typesOf(client).slice(1)).toEqual(['Cleared', 'Cleared', 'Flushed', 'Flushed']);
  });

  verifies('deepgram:close', 'is spoken to its end', async () => {
    const client = await connect();
    client.send(say('And that is '), say('all'), CLOSE);
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(heard(client).trimEnd()).toBe('And that is all');
  });

  verifies('deepgram:error', 'ends with what went wrong', async () => {
    const client = await connect();
    client.send(say('It fails here: %.'), FLUSH);
    expect((await client.closed).code).toBe(1011);
    expect(client.frames.at(-1)).toMatchObject({ type: 'Error', code: 'INTERNAL_ERROR' });
  });
});

describe('a message on the wrong address', () => {
  verifies('wire:foreign', 'is told which address it wanted', async () => {
    const client = await connect();
    client.send({ text: 'Hello. ', voice_settings: { stability: 0.5 } });
    const { code } = await client.closed;
    expect(code).toBe(1008);
    expect(client.frames.at(-1)).toMatchObject({
      type: 'Error',
      code: 'Bad Request',
      description: expect.stringMatching(/stream-input/),
    });
    for (const path of ['stream-input', 'multi-stream-input']) {
      const other = new StreamClient(`${server.url}/v1/text-to-speech/${VOICE_ID}/${path}`, {
        'xi-api-key': KEY,
      });
      await other.opened();
      other.send(say('Hello. '));
      expect((await other.closed).code).toBe(1008);
      expect(other.frames).toMatchObject([
        { error: 'invalid_input_message', message: expect.stringMatching(/WS \/v1\/speak/) },
      ]);
    }
  });
});
