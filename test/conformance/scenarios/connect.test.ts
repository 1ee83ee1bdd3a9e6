import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { OPCODE, RawWebSocket } from '../../support/raw-websocket.ts';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

let server: StreamServer;
let logLines: string[];

beforeEach(async () => {
  logLines = [];
  server = await startStreamServer({ logLines });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

const path = (query = '', voiceId = VOICE_ID) =>
  `${server.url}/v1/text-to-speech/${voiceId}/stream-input${query}`;

async function connect(query = '', headers: Record<string, string> = {}, voiceId = VOICE_ID) {
  const client = new StreamClient(path(query, voiceId), headers);
  await client.opened();
  return client;
}

const hello = { text: 'Hello.', flush: true };
const isAudio = ({ audio }: { audio?: string | null }) => Boolean(audio);

/** Connects with the right key, sends one frame, and returns the error frame and the close. */
async function refusal(frame: unknown, query = '', voiceId = VOICE_ID) {
  const client = await connect(query, { 'xi-api-key': KEY }, voiceId);
  if (frame instanceof Uint8Array || typeof frame === 'string') client.socket.send(frame);
  else client.send(frame);
  const closed = await client.closed;
  return { error: client.frames.at(-1), closed, count: client.frames.length };
}

describe('an address', () => {
  verifies('address:slashes', 'may have needless slashes, and the key is checked', async () => {
    const stream = `v1/text-to-speech/${VOICE_ID}/stream-input`;
    for (const spelt of [`/${stream}/`, `//${stream}`, `/${stream.replaceAll('/', '//')}/`]) {
      const client = new StreamClient(server.url + spelt, { 'xi-api-key': KEY });
      await client.opened();
      client.send(hello);
      await client.until(isAudio);
      client.socket.close();
      const stranger = new StreamClient(`${server.url}${spelt}?authorization=wrong`);
      await stranger.opened();
      stranger.send(hello);
      expect((await stranger.closed).code).toBe(1008);
    }
  });
});

describe('keys', () => {
  verifies('auth:header', 'come in the header', async () => {
    const client = await connect('', { 'xi-api-key': KEY });
    client.send(hello);
    await client.until(isAudio);
  });

  verifies('auth:query', 'come in the query, and never in the log', async () => {
    for (const query of [
      `?authorization=${KEY}`,
      `?authorization=Bearer%20${KEY}`,
      `?xi-api-key=${KEY}`,
      `?xi_api_key=${KEY}`,
    ]) {
      const client = await connect(query);
      client.send(hello);
      await client.until(isAudio);
      client.socket.close();
      await client.closed;
    }
    expect(logLines.length).toBeGreaterThan(0);
    expect(logLines.join('')).not.toContain(KEY);
  });

  verifies('auth:first-frame', 'come in the first frame, in three spellings', async () => {
    for (const key of [
      { xi_api_key: KEY },
      { 'xi-api-key': KEY },
      { authorization: `Bearer ${KEY}` },
    ]) {
      const client = await connect();
      client.send({ text: ' ', ...key }, hello);
      await client.until(isAudio);
    }
    expect(logLines.join('')).not.toContain(KEY);
  });

  verifies(
    ['auth:upgrade-always', 'auth:bad-key'],
    'that are wrong are refused after the first frame',
    async () => {
      const client = await connect('', { 'xi-api-key': 'sk_wrong' });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(client.frames).toEqual([]);
      client.send(hello);
      expect(await client.closed).toMatchObject({ code: 1008 });
      expect(client.frames).toEqual([
        {
          message: expect.any(String),
          error: 'invalid_api_key',
          code: 1008,
          'x-trace-id': `${client.headers['x-trace-id']}-0`,
        },
      ]);
    },
  );

  verifies('auth:missing-key', 'are asked for', async () => {
    const client = await connect();
    client.send(hello);
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(client.frames).toEqual([
      {
        message: expect.any(String),
        error: 'authentication_required',
        code: 1008,
        'x-trace-id': `${client.headers['x-trace-id']}-0`,
      },
    ]);
  });
});

describe('the query', () => {
  verifies('query:model-unknown', 'an unknown model is refused at the upgrade', async () => {
    for (const model of ['eleven_v9', 'no_such_model']) {
      const response = await fetch(path(`?model_id=${model}`).replace('ws:', 'http:'));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        detail: {
          type: 'validation_error',
          code: 'unsupported_model',
          param: 'model_id',
        },
      });
      await expect(connect(`?model_id=${model}`)).rejects.toThrow('400');
    }
  });

  verifies(
    ['query:model-ellipsis', 'query:model-aliases'],
    'ids of public clients are known',
    async () => {
      for (const model of [
        'Ellipsis',
        'eleven_turbo_v2_5',
        'eleven_flash_v2_5',
        'eleven_multilingual_v2',
      ]) {
        const client = await connect(`?model_id=${model}`, {
          'xi-api-key': KEY,
        });
        client.send(hello);
        await client.until(isAudio);
      }
    },
  );

  verifies(
    ['query:stray-ampersand', 'query:unknown-ignored'],
    'oddities are tolerated',
    async () => {
      const client = await connect('?&model_id=eleven_turbo_v2&language=en&unheard_of=1', {
        'xi-api-key': KEY,
      });
      client.send(hello);
      await client.until(isAudio);
    },
  );

  verifies(
    'query:format-unknown',
    'an unknown format is answered with those there are',
    async () => {
      const { error, closed } = await refusal(hello, '?output_format=wax_78');
      expect(error).toMatchObject({
        error: 'invalid_output_format',
        param: 'output_format',
      });
      expect(error?.message).toContain('ulaw_8000');
      expect(closed.code).toBe(1008);
    },
  );

  verifies('query:voice-unknown', 'an unknown voice is answered in-band', async () => {
    const { error, closed, count } = await refusal(hello, '', 'nobodyNobodyNobody00');
    expect(error).toMatchObject({
      error: 'voice_id_does_not_exist',
      code: 1008,
    });
    expect(closed.code).toBe(1008);
    expect(count).toBe(1);
  });

  verifies('query:trace-id', 'every upgrade has an id', async () => {
    const client = await connect();
    expect(client.headers['x-trace-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('bad input', () => {
  verifies('bad:json', 'that is not JSON', async () => {
    const { error, closed } = await refusal('{"text":');
    expect(error).toMatchObject({ error: 'invalid_input_message', code: 1008 });
    expect(closed.code).toBe(1008);
  });

  verifies('bad:types', 'of the wrong type', async () => {
    const { error } = await refusal({
      text: 'a',
      voice_settings: { stability: 'high' },
    });
    expect(error).toMatchObject({ error: 'invalid_input_message' });
    expect(error?.message).toContain('voice_settings');
  });

  verifies('bad:binary', 'that is binary', async () => {
    const { error, closed } = await refusal(new Uint8Array([1, 2, 3]));
    expect(error).toMatchObject({ error: 'invalid_input_message' });
    expect(closed.code).toBe(1008);
  });

  verifies('bad:oversize', 'that is too long', async () => {
    const { error, closed } = await refusal({ text: 'a'.repeat(65 * 1024) });
    expect(error).toMatchObject({ error: 'message_too_big', code: 1009 });
    expect(closed.code).toBe(1009);
    const early = await connect();
    early.send({ text: 'a'.repeat(17 * 1024), xi_api_key: KEY });
    expect((await early.closed).reason).toContain('before the API key is known');
    const huge = await connect('', { 'xi-api-key': KEY });
    huge.socket.send('a'.repeat(2 ** 20));
    expect((await huge.closed).code).toBe(1009);
  });

  verifies('bad:close-reason', 'is named in a close reason of at most 123 bytes', async () => {
    const { error, closed } = await refusal(hello, '?output_format=wax_78');
    expect(Buffer.byteLength(closed.reason)).toBeLessThanOrEqual(123);
    expect(error?.message?.startsWith(closed.reason)).toBe(true);
    expect(Buffer.byteLength(closed.reason)).toBeGreaterThan(100);
  });

  verifies('bad:isolation', 'on one connection does not reach another', async () => {
    const good = await connect('', { 'xi-api-key': KEY });
    good.send({ text: 'Before. ' });
    await Promise.all([refusal('{'), refusal(new Uint8Array([0])), refusal({ text: 7 })]);
    good.send({ text: 'After.' }, { text: '' });
    expect(await good.closed).toEqual({ code: 1000, reason: '' });
    expect(server.engine.spoken.join('')).toBe('Before. After.');
  });
});

describe('the end', () => {
  verifies('flow:disconnect-stops-work', 'of a connection stops its work', async () => {
    const client = await connect('', { 'xi-api-key': KEY });
    client.send({ text: 'word '.repeat(5000), flush: true });
    await client.until(isAudio);
    client.socket.terminate();
    await expect.poll(() => server.connections.count).toBe(0);
    await expect.poll(() => server.engine.liveJobs).toBe(0);
    expect(server.engine.spoken.length).toBeLessThan(25_000);
  });

  verifies('flow:half-open', 'of a client that is no longer there is noticed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const there = await connect('?inactivity_timeout=180', { 'xi-api-key': KEY });
      // It knows nothing of pings, so it answers none.
      const gone = await RawWebSocket.open(path('?inactivity_timeout=180'), { 'xi-api-key': KEY });
      await expect.poll(() => server.connections.count).toBe(2);
      const ponged = new Promise((resolve) => there.socket.once('ping', resolve));
      vi.advanceTimersByTime(20_000);
      await Promise.all([ponged, gone.next(OPCODE.ping)]);
      there.send(hello);
      await there.until(isAudio);
      expect(server.connections.count).toBe(2);
      vi.advanceTimersByTime(20_000);
      await expect.poll(() => server.connections.count).toBe(1);
      expect(there.socket.readyState).toBe(there.socket.OPEN);
      gone.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  verifies('flow:shutdown', 'of the server lets a sentence be finished', async () => {
    const speaking = await connect('', { 'xi-api-key': KEY });
    const idle = await connect('', { 'xi-api-key': KEY });
    speaking.send({ text: 'a long sentence '.repeat(200), flush: true });
    await speaking.until(isAudio);
    await server.connections.drain(10_000);
    for (const client of [speaking, idle]) {
      expect(await client.closed).toMatchObject({ code: 1001 });
      expect(client.frames.at(-1)).toMatchObject({ error: 'shutting_down' });
    }
    const spoken = server.engine.spoken.join('').replaceAll(' ', '');
    expect(spoken).toBe('alongsentence'.repeat(200));
  });
});
