import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { SpeechError } from '../../../src/domain/errors.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../src/domain/voice.ts';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { readTones } from '../../support/tone-engine.ts';
import { VOICE, VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

/** The rate at which the tones of the engine can be read back. */
const FORMAT = { container: 'raw', encoding: 'pcm_s16le', sample_rate: 22_050 };

interface Told {
  readonly type: string;
  readonly context_id?: string;
  readonly data?: string;
  readonly word_timestamps?: { words: string[]; start: number[]; end: number[] };
}

let server: StreamServer;

beforeAll(async () => {
  const findVoice = async (_caller: unknown, voiceId = VOICE_ID) => {
    if (voiceId === VOICE_ID) return { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS };
    throw new SpeechError('voice_id_does_not_exist', `There is no voice "${voiceId}".`);
  };
  server = await startStreamServer({ failOn: '%', speech: { findVoice } });
});
afterEach(async () => {
  server.engine.release();
  await expect.poll(() => server.connections.count).toBe(0);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(): Promise<StreamClient> {
  const client = new StreamClient(`${server.url}/tts/websocket`, { 'x-api-key': KEY });
  await client.opened();
  return client;
}

const say = (id: string, transcript: string, others: object = {}) => ({
  ...{ context_id: id, transcript, continue: true, model_id: 'sonic-3' },
  ...{ voice: { mode: 'id', id: VOICE_ID }, output_format: FORMAT },
  ...others,
});
const end = (id: string) => say(id, '', { continue: false });
const told = (client: StreamClient, id: string) =>
  (client.frames as unknown as Told[]).filter(({ context_id: of }) => of === id);
const untilTold = (client: StreamClient, id: string, type: string) =>
  client.until((frame) => frame.type === type && frame.context_id === id);
const audioOf = (client: StreamClient, id: string) =>
  Buffer.concat(
    told(client, id).flatMap(({ data }) => (data ? [Buffer.from(data, 'base64')] : [])),
  );
const heard = (client: StreamClient, id: string) => readTones(audioOf(client, id)).trimEnd();

describe('a Cartesia connection', () => {
  verifies('cartesia:refused', 'is refused at the handshake, in its own shape', async () => {
    for (const [headers, code] of [
      [{}, 'authentication_required'],
      [{ 'x-api-key': 'sk_wrong' }, 'invalid_api_key'],
    ] as const) {
      const socket = new WebSocket(`${server.url}/tts/websocket`, { headers });
      socket.on('error', () => undefined);
      const [, response] = await once(socket, 'unexpected-response');
      let body = '';
      for await (const piece of response.setEncoding('utf8')) body += piece;
      expect(response.statusCode).toBe(401);
      expect(JSON.parse(body)).toEqual({
        error_code: code,
        title: expect.stringMatching(/^[A-Z]/),
        message: expect.stringMatching(/key/),
        request_id: response.headers['x-trace-id'],
      });
    }
    const plain = await fetch(`${server.url.replace('ws', 'http')}/tts/websocket`);
    expect([plain.status, await plain.json()]).toMatchObject([
      426,
      { error_code: 'upgrade_required' },
    ]);
  });

  verifies('cartesia:key', 'takes its key as its clients give it', async () => {
    const version = 'cartesia_version=2026-03-01';
    for (const [query, headers] of [
      [version, { 'x-api-key': KEY }],
      ['', { authorization: `Bearer ${KEY}`, 'cartesia-version': '2026-08-14' }],
      [`${version}&api_key=${KEY}`, {}],
    ] as const) {
      const client = new StreamClient(`${server.url}/tts/websocket?${query}`, { ...headers });
      await client.opened();
      client.socket.close();
      await client.closed;
    }
  });

  verifies('cartesia:context', 'speaks contexts beside each other, each as it asks', async () => {
    const client = await connect();
    client.send(say('a', 'This is the one '), say('a', 'turn'), end('a'));
    const phone = { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 };
    client.send(say('b', 'And this is the other', { continue: false, output_format: phone }));
    await untilTold(client, 'a', 'done');
    await untilTold(client, 'b', 'done');
    expect(heard(client, 'a')).toBe('This is the one turn');
    const [longer, shorter] = [audioOf(client, 'a').length, audioOf(client, 'b').length];
    expect(shorter).toBeLessThan(longer / 3);
    for (const id of ['a', 'b']) {
      expect(told(client, id).map(({ type }) => type)).toEqual([
        ...told(client, id)
          .slice(1)
          .map(() => 'chunk'),
        'done',
      ]);
    }
    // An id may come again.
    const before = heard(client, 'a').length;
    client.send(say('a', 'Again', { continue: false }));
    await client.until(() => told(client, 'a').filter(({ type }) => type === 'done').length === 2);
    expect(heard(client, 'a').slice(before).trim()).toBe('Again');
    client.socket.close();
  });

  verifies('cartesia:flush', 'is told behind the audio that all of it was spoken', async () => {
    const client = await connect();
    client.send(say('a', 'First, the one turn'), say('a', '', { flush: true }));
    const done = await untilTold(client, 'a', 'flush_done');
    expect(done).toMatchObject({ flush_id: 1, flush_done: true, done: false });
    expect(heard(client, 'a')).toBe('First, the one turn');
    client.send(say('a', 'Now the other'), end('a'));
    await untilTold(client, 'a', 'done');
    expect(heard(client, 'a')).toContain('Now the other');
    expect(client.frames.at(-2)).toMatchObject({ type: 'chunk', flush_id: 2 });
    client.socket.close();
  });

  verifies('cartesia:delay', 'speaks by itself what nothing follows', async () => {
    const client = await connect();
    client.send(say('a', 'Hm', { max_buffer_delay_ms: 20 }));
    await untilTold(client, 'a', 'chunk');
    client.send(say('b', 'Hm', { max_buffer_delay_ms: 0 }));
    await untilTold(client, 'b', 'flush_done');
    expect(heard(client, 'b')).toBe('Hm');
    client.socket.close();
  });

  verifies('cartesia:cancel', 'falls silent at once, in that context alone', async () => {
    const client = await connect();
    client.send(say('a', 'This is said in part only, and then it is over, says the caller.'));
    client.send(say('a', '', { flush: true }));
    await untilTold(client, 'a', 'chunk');
    server.engine.hold();
    client.send({ context_id: 'a', cancel: true }, { context_id: 'nobody', cancel: true });
    await untilTold(client, 'a', 'done');
    server.engine.release();
    client.send(say('b', 'Now this', { continue: false }));
    await untilTold(client, 'b', 'done');
    expect(told(client, 'a').at(-1)).toMatchObject({ type: 'done' });
    expect(heard(client, 'b')).toBe('Now this');
    client.socket.close();
  });

  verifies('cartesia:five', 'has five open contexts, and counts none that has ended', async () => {
    const client = await connect();
    const open = ['a', 'b', 'c', 'd', 'e'];
    server.engine.hold();
    for (const id of open) client.send(say(id, `Turn ${id} waits. And so on`, { flush: true }));
    client.send(say('sixth', 'No room.'));
    expect(await untilTold(client, 'sixth', 'error')).toMatchObject({
      ...{ done: true, status_code: 429, error_code: 'concurrency_limited' },
      message: expect.stringMatching(/five open contexts.*"continue": false, or cancel/),
    });
    // A cancelled one makes room at once, and so does one that takes no more text.
    client.send({ context_id: 'a', cancel: true }, say('f', 'In place of a'));
    client.send(end('b'), say('g', 'In place of b'));
    client.send(say('seventh', 'No room.'));
    await untilTold(client, 'seventh', 'error');
    server.engine.release();
    for (const id of [...open.slice(2), 'f', 'g']) client.send(end(id));
    for (const id of [...open, 'f', 'g']) await untilTold(client, id, 'done');
    expect(heard(client, 'g')).toBe('In place of b');
    const errors = client.frames.filter(({ type }) => type === 'error');
    expect(errors.map(({ context_id }) => context_id)).toEqual(['sixth', 'seventh']);
    // A turn a context, as its clients speak for a whole call.
    for (let turn = 0; turn < 20; turn++) {
      client.send(say(`turn-${turn}`, 'Hm', { continue: false }));
      await untilTold(client, `turn-${turn}`, 'done');
    }
    // The id that was refused may be used as soon as there is room.
    client.send(say('sixth', 'Room', { continue: false }));
    await untilTold(client, 'sixth', 'done');
    expect(heard(client, 'sixth')).toBe('Room');
    client.socket.close();
  });

  verifies('cartesia:timestamps', 'tells when each word is heard', async () => {
    const client = await connect();
    const times = { add_timestamps: true };
    client.send(say('a', 'How can I help', times), say('a', ' you today?', times), end('a'));
    await untilTold(client, 'a', 'done');
    const all = told(client, 'a').flatMap(({ word_timestamps: words }) => (words ? [words] : []));
    expect(all.flatMap(({ words }) => words)).toEqual('How can I help you today?'.split(' '));
    const starts = all.flatMap(({ start }) => start);
    const ends = all.flatMap(({ end: last }) => last);
    const seconds = audioOf(client, 'a').length / 2 / FORMAT.sample_rate;
    for (const [index, start] of starts.entries()) {
      expect(start).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
      expect(ends[index]).toBeGreaterThan(start);
    }
    expect(ends.at(-1)).toBeLessThanOrEqual(seconds + 0.001);
    client.socket.close();
  });

  verifies('cartesia:error', 'goes on when a context cannot be spoken', async () => {
    const client = await connect();
    const cases = [
      [{ voice: 'nobody' }, 404, 'voice_not_found'],
      [{ voice: { mode: 'embedding' } }, 400, 'invalid_parameters'],
      [{ model_id: 'sonic-99' }, 404, 'model_not_found'],
      [{ output_format: { ...FORMAT, sample_rate: 11_025 } }, 400, 'invalid_output_format'],
      [{ add_phoneme_timestamps: true }, 400, 'invalid_parameters'],
      [{ generation_config: { speed: -1 } }, 400, 'invalid_parameters'],
      [{ transcript: 'It fails here: %.' }, 500, 'internal_error'],
    ] as const;
    for (const [index, [others, status, code]] of cases.entries()) {
      const id = `wrong-${index}`;
      client.send(say(id, 'Never heard.', { ...others, continue: false }));
      expect(await untilTold(client, id, 'error')).toMatchObject({
        ...{ done: true, status_code: status, error_code: code },
        error: expect.stringContaining(': '),
      });
    }
    client.send(say('right', 'Heard', { continue: false }));
    await untilTold(client, 'right', 'done');
    expect(heard(client, 'right')).toBe('Heard');
    for (const index of cases.keys())
      expect(told(client, `wrong-${index}`).at(-1)?.type).toBe('error');
    client.socket.close();
  });
});

describe('a message on the wrong address', () => {
  verifies(
    'wire:foreign',
    'of Cartesia’s, or for it, is told which address it wanted',
    async () => {
      for (const frame of [
        { text: 'Hello. ', context_id: 'a' },
        { type: 'Speak', text: 'Hello.' },
      ]) {
        const client = await connect();
        client.send(frame);
        expect((await client.closed).code).toBe(1008);
        expect(client.frames).toMatchObject([
          {
            type: 'error',
            status_code: 400,
            message: expect.stringMatching(/stream-input|v1\/speak/),
          },
        ]);
      }
      const headers = { 'xi-api-key': KEY };
      for (const path of [`text-to-speech/${VOICE_ID}/multi-stream-input`, 'speak']) {
        const other = new StreamClient(`${server.url}/v1/${path}`, headers);
        await other.opened();
        other.send(say('a', 'Hello.'));
        expect((await other.closed).code).toBe(1008);
        expect(JSON.stringify(other.frames.at(-1))).toContain('WS /tts/websocket');
      }
    },
  );
});
