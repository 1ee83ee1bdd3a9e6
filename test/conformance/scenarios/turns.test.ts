import { afterEach, beforeEach, describe, expect } from 'vitest';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

const CONTEXTS = 32;
const AT_ONCE = 5;

let server: StreamServer;

beforeEach(async () => {
  server = await startStreamServer();
});
afterEach(async () => {
  server.engine.release();
  await server[Symbol.asyncDispose]();
});

async function connect(): Promise<StreamClient> {
  const url = `${server.url}/v1/text-to-speech/${VOICE_ID}/multi-stream-input`;
  const client = new StreamClient(url, { 'xi-api-key': KEY });
  await client.opened();
  return client;
}

function closedTurns(client: StreamClient, ids: readonly string[]): void {
  for (const id of ids) {
    client.send({ text: `Turn ${id}.`, context_id: id }, { context_id: id, close_context: true });
  }
}

const ids = Array.from({ length: CONTEXTS }, (_, index) => `c${index}`);
const finals = (client: StreamClient) =>
  client.frames.flatMap(({ isFinal, contextId }) => (isFinal ? [contextId] : []));

/** Chunks in the held engine, when no more come. */
async function jobsAtRest(): Promise<number> {
  await expect.poll(() => server.engine.liveJobs).toBeGreaterThan(0);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  return server.engine.liveJobs;
}

describe('contexts of one connection', () => {
  verifies(
    ['flow:turns', 'flow:turns-isolation'],
    'take turns, and leave the engine to others',
    async () => {
      const greedy = await connect();
      server.engine.hold();
      closedTurns(greedy, ids);
      // The answer to its last message shows that all of them have been read.
      greedy.send({ context_id: 'empty', close_context: true });
      await greedy.until(({ contextId }) => contextId === 'empty');
      const greedyJobs = await jobsAtRest();
      expect(greedyJobs).toBeLessThanOrEqual(AT_ONCE);
      const other = await connect();
      other.send({ text: 'Somebody else.', context_id: 'x', flush: true });
      await expect.poll(() => server.engine.liveJobs).toBe(greedyJobs + 1);
      server.engine.release();
      await other.until(({ audio }) => Boolean(audio));
      greedy.send({ close_socket: true });
      expect(await greedy.closed).toEqual({ code: 1000, reason: '' });
      expect(finals(greedy).toSorted()).toEqual([...ids, 'empty'].toSorted());
      for (const id of ids) expect(greedy.audio(id).length).toBeGreaterThan(0);
      other.socket.close();
    },
  );

  verifies('flow:turns', 'never wait for closed ones while they are open', async () => {
    const client = await connect();
    server.engine.hold();
    for (const id of ids.slice(0, 8)) {
      closedTurns(client, [id]);
      await jobsAtRest();
    }
    const before = server.engine.liveJobs;
    client.send({ text: 'What is said next.', context_id: 'next', flush: true });
    await expect.poll(() => server.engine.liveJobs).toBe(before + 1);
    server.engine.release();
    await client.until(({ audio, contextId }) => Boolean(audio) && contextId === 'next');
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    for (const id of ids.slice(0, 8)) expect(client.audio(id).length).toBeGreaterThan(0);
  });

  verifies('flow:turns', 'that are stopped while they wait leave the queue', async () => {
    const client = await connect();
    server.engine.hold();
    closedTurns(client, ids.slice(0, 12));
    await jobsAtRest();
    const stopped = ids.slice(AT_ONCE, 10);
    for (const id of stopped) client.send({ context_id: id, close_context: true });
    for (const id of stopped) {
      await client.until(({ isFinal, contextId }) => isFinal === true && contextId === id);
    }
    server.engine.release();
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    for (const id of stopped) expect(client.audio(id)).toHaveLength(0);
    const heard = ids.slice(0, 12).filter((id) => client.audio(id).length > 0);
    expect(heard).toEqual([...ids.slice(0, AT_ONCE), 'c10', 'c11']);
  });
});
