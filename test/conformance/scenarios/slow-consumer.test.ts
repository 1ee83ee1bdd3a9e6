import { afterEach, beforeEach, describe, expect } from 'vitest';
import { frameBytes, OPCODE, RawWebSocket } from '../../support/raw-websocket.ts';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

/** 33 MB of base64, far more than the operating system buffers for a client that does not read. */
const SYMBOLS = 12_000;
const LONG_TEXT = 'word '.repeat(SYMBOLS / 5);
const WALL_BYTES = 4 * 1024 * 1024;
const HIGH_WATER_BYTES = 512 * 1024;
/** Base64 of the four symbols that the tone engine puts in a block, with the JSON around it. */
const LARGEST_FRAME_BYTES = 24 * 1024;

const servers: StreamServer[] = [];
let server: StreamServer;
let logLines: string[];

async function start(writeDeadlineMs?: number): Promise<void> {
  logLines = [];
  server = await startStreamServer({
    logLines,
    ...(writeDeadlineMs !== undefined && { writeDeadlineMs }),
  });
  servers.push(server);
}

async function connect(): Promise<StreamClient> {
  const path = `/v1/text-to-speech/${VOICE_ID}/multi-stream-input?output_format=pcm_22050`;
  const client = new StreamClient(`${server.url}${path}`, { 'xi-api-key': KEY });
  await client.opened();
  return client;
}

/** Has a client that reads its first audio and nothing after it. */
async function stalledClient(text: string): Promise<StreamClient> {
  const client = await connect();
  client.send({ text, context_id: 'a' }, { context_id: 'a', close_context: true });
  await client.until(({ audio }) => Boolean(audio));
  client.socket.pause();
  return client;
}

/** Waits until the engine has been asked for nothing new, three times in a row. */
async function engineAtRest(): Promise<number> {
  let calm = 0;
  let before = -1;
  while (calm < 3) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const spoken = server.engine.spoken.length;
    calm = spoken === before ? calm + 1 : 0;
    before = spoken;
  }
  return before;
}

/** Another client's whole turn. */
async function speakElsewhere(): Promise<void> {
  const other = await connect();
  other.send({ text: 'Somebody else.', context_id: 'b' }, { close_socket: true });
  expect(await other.closed).toEqual({ code: 1000, reason: '' });
  expect(other.audio('b').length).toBeGreaterThan(0);
}

beforeEach(() => {
  servers.length = 0;
});
afterEach(async () => {
  for (const started of servers) await started[Symbol.asyncDispose]();
});

describe('a client that stops reading', () => {
  verifies(
    ['flow:slow-pauses', 'flow:slow-isolation'],
    'pauses its own speech only, and hears the rest when it reads again',
    async () => {
      await start();
      const client = await stalledClient(LONG_TEXT);
      expect(await engineAtRest()).toBeLessThan(SYMBOLS);
      expect(server.bufferedBytes()).toBeGreaterThan(0);
      expect(server.bufferedBytes()).toBeLessThan(HIGH_WATER_BYTES + LARGEST_FRAME_BYTES);
      await speakElsewhere();
      client.socket.resume();
      await client.until(({ isFinal }) => isFinal === true);
      // The spaces where long chunks are cut into pieces are not spoken.
      const heardSymbols = client.audio().length / (1024 * 2);
      expect(heardSymbols).toBeLessThanOrEqual(SYMBOLS);
      expect(heardSymbols).toBeGreaterThan(SYMBOLS - SYMBOLS / 96);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    },
  );

  verifies('flow:slow-cut', 'is cut after the write deadline, by name', async () => {
    await start(400);
    const client = await stalledClient(LONG_TEXT);
    await speakElsewhere();
    await expect.poll(() => server.connections.count, { timeout: 10_000 }).toBe(0);
    await expect.poll(() => server.engine.liveJobs).toBe(0);
    expect(server.engine.spoken.length).toBeLessThan(SYMBOLS);
    expect(logLines.filter((line) => line.includes('client_too_slow'))).toHaveLength(1);
    client.socket.resume();
    expect((await client.closed).code).toBe(1006);
    await speakElsewhere();
  });

  verifies('flow:slow-cut', 'is not cut when it catches up in time', async () => {
    await start(60_000);
    const client = await stalledClient(LONG_TEXT);
    for (let turn = 0; turn < 3; turn++) {
      await engineAtRest();
      client.socket.resume();
      const heard = client.frames.length;
      await expect.poll(() => client.frames.length).toBeGreaterThan(heard + 200);
      client.socket.pause();
    }
    client.socket.resume();
    await client.until(({ isFinal }) => isFinal === true);
    expect(logLines.join('')).not.toContain('client_too_slow');
  });

  verifies('flow:slow-cancel', 'and hangs up leaves nothing behind', async () => {
    await start();
    const client = await stalledClient(LONG_TEXT);
    await engineAtRest();
    client.socket.terminate();
    await expect.poll(() => server.connections.count).toBe(0);
    await expect.poll(() => server.engine.liveJobs).toBe(0);
    expect(server.bufferedBytes()).toBe(0);
  });

  verifies('flow:wall', 'is cut at once when nothing holds the server back', async () => {
    await start();
    const client = await stalledClient(LONG_TEXT);
    await engineAtRest();
    // Answers of the protocol itself do not wait for the client: each of these contexts ends.
    for (let index = 0; index < 60_000 && client.socket.readyState === 1; index++) {
      client.send({ context_id: `empty-${index}`, close_context: true });
    }
    await expect.poll(() => server.connections.count, { timeout: 20_000 }).toBe(0);
    expect(server.bufferedBytes()).toBeLessThan(WALL_BYTES);
    expect(logLines.filter((line) => line.includes('client_too_slow'))).toHaveLength(1);
    await speakElsewhere();
  });

  verifies('flow:wall', 'is cut when it makes the protocol itself answer without end', async () => {
    await start();
    const url = `${server.url}/v1/text-to-speech/${VOICE_ID}/stream-input`;
    const raw = await RawWebSocket.open(url, { 'xi-api-key': KEY });
    raw.socket.pause();
    await expect.poll(() => server.connections.count).toBe(1);
    const ping = frameBytes({ opcode: OPCODE.ping, payload: Buffer.alloc(125) });
    const pings = Buffer.concat(Array.from({ length: 20_000 }, () => ping));
    for (let sent = 0; sent < 20 && server.connections.count > 0; sent++) {
      await new Promise((resolve) => raw.socket.write(pings, resolve));
    }
    await expect.poll(() => server.connections.count).toBe(0);
    expect(server.bufferedBytes()).toBe(0);
    raw.destroy();
    await speakElsewhere();
  });
});
