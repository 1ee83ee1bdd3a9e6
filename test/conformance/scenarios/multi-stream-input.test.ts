import { afterEach, beforeEach, describe, expect } from 'vitest';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

let server: StreamServer;

beforeEach(async () => {
  server = await startStreamServer({ failOn: '%' });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(query = ''): Promise<StreamClient> {
  const url = `${server.url}/v1/text-to-speech/${VOICE_ID}/multi-stream-input?${query}`;
  const client = new StreamClient(url, { 'xi-api-key': KEY });
  await client.opened();
  return client;
}

const spoken = () => server.engine.spoken.join('');
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const finals = (client: StreamClient, contextId: string) =>
  client.frames.filter((frame) => frame.isFinal && frame.contextId === contextId);
const writtenBy = (client: StreamClient, id: string) =>
  client.frames
    .flatMap(({ contextId, alignment }) => (contextId === id ? (alignment?.chars ?? []) : []))
    .join('');
const finalOf = (client: StreamClient, contextId: string) =>
  client.until((frame) => frame.isFinal === true && frame.contextId === contextId);

describe('multi-stream-input', () => {
  verifies('multi:context-id-spellings', 'reads and writes both spellings of the id', async () => {
    const client = await connect();
    client.send(
      { text: 'Snake. ', context_id: 'a', flush: true },
      { context_id: 'a', close_context: true },
    );
    client.send(
      { text: 'Camel. ', contextId: 'b', flush: true },
      { contextId: 'b', close_context: true },
    );
    await finalOf(client, 'a');
    await finalOf(client, 'b');
    for (const frame of client.frames) expect(frame.contextId).toBe(frame.context_id);
    client.socket.close();
  });

  verifies('multi:unsayable-text', 'ends a context that cannot be said, and no other', async () => {
    const client = await connect();
    client.send({ text: 'One. ', context_id: 'a', flush: true });
    client.send({ text: '𒀀𒀁 ', context_id: 'b', flush: true });
    await finalOf(client, 'b');
    const errors = client.frames.filter(({ error }) => error !== undefined);
    expect(errors).toMatchObject([{ error: 'unsupported_script', contextId: 'b' }]);
    client.send({ text: 'Two. ', context_id: 'a' }, { context_id: 'a', close_context: true });
    await finalOf(client, 'a');
    expect(writtenBy(client, 'a')).toContain('Two.');
    client.socket.close();
  });

  verifies('multi:unseen-id', 'starts a context with whatever comes first', async () => {
    const client = await connect();
    client.send({ context_id: 'flush', flush: true }, { context_id: 'flush', close_context: true });
    client.send({ text: '', context_id: 'alive' }, { text: 'Hi.', context_id: 'alive' });
    client.send(
      { context_id: 'alive', close_context: true },
      { context_id: 'close', close_context: true },
    );
    await Promise.all(['flush', 'alive', 'close'].map((id) => finalOf(client, id)));
    expect(spoken()).toBe('Hi.');
    client.socket.close();
  });

  verifies(
    ['multi:init-without-id', 'multi:late-settings'],
    'takes settings early, late and for all',
    async () => {
      const client = await connect();
      client.send({
        text: ' ',
        voice_settings: { speed: 1.1 },
        generation_config: { chunk_length_schedule: [50] },
      });
      client.send(
        { text: '', context_id: 'a' },
        { text: ' ', context_id: 'a', voice_settings: { stability: 0.3 } },
      );
      client.send({
        text: 'Ten words, more or less, to go beyond fifty characters now',
        context_id: 'a',
      });
      await client.until(({ audio, contextId }) => Boolean(audio) && contextId === 'a');
      client.send({
        text: 'x',
        context_id: 'a',
        voice_settings: { stability: 0.9 },
      });
      expect(await client.closed).toMatchObject({ code: 1008 });
    },
  );

  verifies(
    ['multi:final-once', 'multi:nothing-after-final'],
    'ends each of five contexts once',
    async () => {
      const client = await connect();
      const ids = ['a', 'b', 'c', 'd', 'e'];
      for (const id of ids) client.send({ text: `This is ${id}. And more`, context_id: id });
      for (const id of ids)
        client.send({ context_id: id, flush: true }, { context_id: id, close_context: true });
      await Promise.all(ids.map((id) => finalOf(client, id)));
      await pause(50);
      for (const id of ids) {
        expect(finals(client, id)).toHaveLength(1);
        const last = client.frames.filter(({ contextId }) => contextId === id).at(-1);
        expect(last?.isFinal).toBe(true);
        expect(client.audio(id).length).toBeGreaterThan(0);
      }
      client.socket.close();
    },
  );

  verifies('multi:flush-no-final', 'a flush alone ends nothing', async () => {
    const client = await connect();
    client.send({ text: 'Flushed', context_id: 'a', flush: true });
    await client.until(({ audio }) => Boolean(audio));
    await pause(50);
    expect(finals(client, 'a')).toHaveLength(0);
    client.socket.close();
  });

  verifies(
    ['multi:flush-close', 'multi:close-unflushed'],
    'speaks all that was sent before the close',
    async () => {
      const client = await connect();
      client.send(
        { text: 'flushed and closed', context_id: 'a' },
        { context_id: 'a', flush: true },
      );
      client.send({ context_id: 'a', close_context: true });
      await finalOf(client, 'a');
      client.send(
        { text: 'closed without a flush', context_id: 'b' },
        { context_id: 'b', close_context: true },
      );
      await finalOf(client, 'b');
      expect(spoken()).toBe('flushed and closedclosed without a flush');
      client.socket.close();
    },
  );

  verifies('multi:close-twice', 'stops when it is closed again', async () => {
    const client = await connect();
    client.send(
      { text: 'word '.repeat(2000), context_id: 'a' },
      { context_id: 'a', close_context: true },
    );
    await client.until(({ audio }) => Boolean(audio));
    client.send({ context_id: 'a', close_context: true });
    await finalOf(client, 'a');
    const heard = client.frames.length;
    await pause(50);
    expect(client.frames).toHaveLength(heard);
    expect(spoken().length).toBeLessThan(10_000);
    expect(server.engine.liveJobs).toBe(0);
    client.socket.close();
  });

  verifies('multi:keep-alive', 'an empty text ends nothing', async () => {
    const client = await connect();
    client.send({ text: 'still ', context_id: 'a' }, { text: '' }, { text: '', context_id: 'a' });
    client.send({ text: 'here.', context_id: 'a' }, { context_id: 'a', close_context: true });
    await finalOf(client, 'a');
    expect(spoken()).toBe('still here.');
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.socket.close();
  });

  verifies('multi:close-socket', 'finishes what is being spoken, then closes', async () => {
    const client = await connect();
    client.send({ text: 'Last words', context_id: 'a' }, { close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(finals(client, 'a')).toHaveLength(1);
    expect(spoken()).toBe('Last words');
  });

  verifies(['multi:limit', 'multi:slot-freed'], 'counts open contexts only', async () => {
    const client = await connect();
    for (let turn = 0; turn < 12; turn++) {
      client.send(
        { text: `Turn ${turn}`, context_id: `t${turn}` },
        { context_id: `t${turn}`, close_context: true },
      );
    }
    await finalOf(client, 't11');
    for (let index = 0; index < 6; index++) client.send({ text: 'open', context_id: `o${index}` });
    const error = await client.until((frame) => frame.error !== undefined);
    expect(error).toMatchObject({
      error: 'max_active_conversations',
      code: 1008,
      contextId: 'o5',
    });
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  verifies('multi:idle-evicted', 'ends the idle context that is oldest to make room', async () => {
    const client = await connect();
    client.send({ text: 'Done.', context_id: 'idle', flush: true });
    await client.until(({ audio }) => Boolean(audio));
    await pause(50);
    for (let index = 0; index < 5; index++) client.send({ text: 'open', context_id: `o${index}` });
    await finalOf(client, 'idle');
    for (let index = 0; index < 5; index++) {
      client.send({ context_id: `o${index}`, close_context: true });
      await finalOf(client, `o${index}`);
    }
    expect(client.frames.some(({ error }) => error)).toBe(false);
    client.socket.close();
  });

  verifies(
    ['multi:idle-context', 'multi:keep-alive-context'],
    'ends a context in which nothing happens, and only that one',
    async () => {
      const client = await connect('inactivity_timeout=1');
      const alive = ['named', 'unnamed'].map((id) => ({ text: '', context_id: id }));
      client.send({ text: 'Never flushed', context_id: 'idle' });
      for (const id of ['named', 'unnamed']) client.send({ text: `Is ${id}`, context_id: id });
      let isOver = false;
      const keepAlive = async () => {
        while (!isOver) {
          client.send(alive[0]);
          await pause(200);
        }
      };
      const keeping = keepAlive();
      await Promise.all([finalOf(client, 'idle'), finalOf(client, 'unnamed')]);
      // What it had not spoken yet was spoken first.
      expect(writtenBy(client, 'idle')).toBe('Never flushed ');
      expect(finals(client, 'named')).toHaveLength(0);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
      client.send({ context_id: 'named', close_context: true });
      await finalOf(client, 'named');
      expect(writtenBy(client, 'named')).toBe('Is named ');
      isOver = true;
      await keeping;
      client.send({ text: 'And it goes on.', context_id: 'idle' }, { close_socket: true });
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
      expect(finals(client, 'idle')).toHaveLength(2);
    },
  );

  verifies('multi:keep-alive-context', 'keeps all contexts with one that names none', async () => {
    const client = await connect('inactivity_timeout=1');
    for (const id of ['a', 'b']) client.send({ text: 'Waits', context_id: id });
    for (let turn = 0; turn < 8; turn++) {
      await pause(200);
      client.send({ text: '' });
    }
    expect(client.frames).toEqual([]);
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toHaveLength(2 * 'Waits'.length);
  });

  verifies('multi:idle-context', 'does not count the time in which a context speaks', async () => {
    const client = await connect('inactivity_timeout=1');
    server.engine.hold();
    client.send({ text: 'Held up.', context_id: 'a', flush: true });
    await pause(1500);
    expect(client.frames).toEqual([]);
    server.engine.release();
    await client.until(({ audio }) => Boolean(audio));
    client.send({ text: 'More', context_id: 'a' }, { close_socket: true });
    await client.closed;
    expect(spoken()).toBe('Held up.More');
  });

  verifies('multi:stale-frames', 'late frames for an ended context change nothing', async () => {
    const client = await connect();
    client.send({ text: 'Old.', context_id: 'old' }, { context_id: 'old', close_context: true });
    await finalOf(client, 'old');
    client.send({ context_id: 'old', flush: true }, { context_id: 'old', close_context: true });
    client.send({ text: 'New.', context_id: 'new' }, { text: '', context_id: 'old' });
    client.send({ context_id: 'new', close_context: true });
    await finalOf(client, 'new');
    expect(finals(client, 'old')).toHaveLength(1);
    expect(spoken()).toBe('Old.New.');
    client.socket.close();
  });

  verifies('multi:error-context', 'names the context that failed', async () => {
    const client = await connect();
    client.send({
      text: 'It breaks at % here.',
      context_id: 'bad',
      flush: true,
    });
    const error = await client.until((frame) => frame.error !== undefined);
    expect(error).toMatchObject({
      contextId: 'bad',
      context_id: 'bad',
      code: 1011,
    });
    expect(await client.closed).toMatchObject({ code: 1011 });
  });
});
