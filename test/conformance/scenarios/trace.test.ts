import { afterEach, beforeEach, describe, expect } from 'vitest';
import { type ServerFrame, StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

let server: StreamServer;
let logLines: string[];

beforeEach(async () => {
  logLines = [];
  server = await startStreamServer({ logLines, failOn: '%' });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(path: string): Promise<StreamClient> {
  const client = new StreamClient(`${server.url}/v1/text-to-speech/${VOICE_ID}/${path}`, {
    'xi-api-key': KEY,
  });
  await client.opened();
  return client;
}

interface LogLine {
  readonly msg: string;
  readonly requestId: string;
  readonly traceId?: string;
  readonly chars?: number;
}

const logOf = (message: string) =>
  logLines.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === message);
const connectionId = ({ headers }: StreamClient) => String(headers['x-trace-id']);
const traceId = (frame: ServerFrame | undefined) => frame?.['x-trace-id'];
const written = (frames: readonly ServerFrame[]) =>
  frames.flatMap(({ alignment }) => alignment?.chars ?? []).join('');
/** Frames of one chunk have one id; ids in the order in which they came. */
function byTrace(frames: readonly ServerFrame[]): Map<string | undefined, ServerFrame[]> {
  const groups = new Map<string | undefined, ServerFrame[]>();
  for (const frame of frames) {
    groups.set(traceId(frame), [...(groups.get(traceId(frame)) ?? []), frame]);
  }
  return groups;
}

describe('the trace id', () => {
  verifies(
    ['trace:every-message', 'trace:chunk'],
    'leads from each message to the log line of its chunk',
    async () => {
      const client = await connect('stream-input');
      client.send({ text: 'One is here. ' }, { text: 'Two comes later. ' }, { text: '' });
      await client.closed;
      const id = connectionId(client);
      const groups = byTrace(client.frames);
      expect([...groups.keys()]).toEqual([`${id}-1`, `${id}-2`]);
      expect(written(groups.get(`${id}-1`) ?? [])).toBe('One is here. ');
      expect(written(groups.get(`${id}-2`) ?? [])).toBe('Two comes later. ');
      // The final one has nothing to speak: it has the id of what was spoken last.
      expect(traceId(client.frames.at(-1))).toBe(`${id}-2`);
      const lines = logOf('chunk spoken');
      expect(lines.map((line) => line.traceId)).toEqual([`${id}-1`, `${id}-2`]);
      for (const line of lines) {
        expect(line).toMatchObject({ requestId: id, firstFrameMs: expect.any(Number) });
      }
      expect(lines[0]?.chars).toBeLessThan(lines[1]?.chars ?? 0);
      expect(logOf('stream ended').map((line) => line.traceId)).toEqual([`${id}-0`]);
      expect(logLines.join('')).not.toContain('comes later');
    },
  );

  verifies(
    ['trace:every-message', 'trace:chunk'],
    'tells chunks of several contexts apart',
    async () => {
      const client = await connect('multi-stream-input');
      const contexts = ['a', 'b', 'c'];
      for (const id of contexts) {
        client.send({ text: `First ${id}. `, context_id: id, flush: true });
        client.send({ text: `Second ${id}. `, context_id: id, close_context: true });
      }
      client.send({ context_id: 'empty', close_context: true }, { close_socket: true });
      await client.closed;
      const id = connectionId(client);
      const frames = client.frames.filter(({ contextId }) => contextId !== 'empty');
      const groups = byTrace(frames);
      expect(groups.size).toBe(6);
      for (const group of groups.values()) {
        expect(new Set(group.map(({ contextId }) => contextId)).size).toBe(1);
      }
      const logged = logOf('chunk spoken').map((line) => line.traceId);
      expect(logged.toSorted()).toEqual([...groups.keys()].toSorted());
      const empty = client.frames.find(({ contextId }) => contextId === 'empty');
      expect(traceId(empty)).toBe(`${id}-0`);
    },
  );

  verifies('trace:cut', 'leads to the log line of a chunk that was cut off', async () => {
    const client = await connect('multi-stream-input');
    client.send({ text: 'word '.repeat(400), context_id: 'a', flush: true });
    await client.until(({ audio }) => Boolean(audio));
    client.send({ context_id: 'a', close_context: true }, { context_id: 'a', close_context: true });
    await client.until(({ isFinal }) => isFinal === true);
    await expect.poll(() => logOf('chunk cut')).toHaveLength(1);
    const [cut] = logOf('chunk cut');
    expect(cut).toMatchObject({ audioMs: expect.any(Number), chars: expect.any(Number) });
    const logged = [...logOf('chunk spoken'), ...logOf('chunk cut')].map((line) => line.traceId);
    expect(logged).toEqual([...byTrace(client.frames).keys()]);
    client.socket.close();
  });

  verifies('trace:error', 'leads from an error to its log line', async () => {
    const failing = await connect('multi-stream-input');
    failing.send({ text: 'All is well. It breaks at % here.', context_id: 'a', flush: true });
    await failing.closed;
    expect(traceId(failing.frames.at(-1))).toBe(`${connectionId(failing)}-2`);
    const malformed = await connect('stream-input');
    malformed.send({ text: 5 });
    await malformed.closed;
    expect(traceId(malformed.frames.at(-1))).toBe(`${connectionId(malformed)}-0`);
    expect(logOf('stream failed').map((line) => line.traceId)).toEqual(
      [failing, malformed].map(({ frames }) => traceId(frames.at(-1))),
    );
  });
});

describe('/metrics', () => {
  const value = (exposition: string, series: string) =>
    Number(
      exposition
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );

  verifies(
    ['metrics:first-frame', 'metrics:messages'],
    'tells when first frames came, and how many messages there were',
    async () => {
      const client = await connect('multi-stream-input?optimize_streaming_latency=3');
      client.send({ text: 'Hello.', context_id: 'a', flush: true });
      client.send({ context_id: 'a', close_context: true });
      await client.until(({ isFinal }) => isFinal === true);
      client.send({ text: 'word '.repeat(400), context_id: 'b', flush: true });
      await client.until(({ contextId }) => contextId === 'b');
      client.send({ context_id: 'b', close_context: true });
      client.send({ context_id: 'b', close_context: true }, { close_socket: true });
      await client.closed;
      await expect.poll(() => logOf('stream ended')).toHaveLength(1);
      const { body } = await server.telemetry.exposition();
      expect(value(body, 'sidetone_first_frame_seconds_count{level="3"}')).toBe(
        logLines.filter((line) => line.includes('"isAwaited":true')).length,
      );
      expect(value(body, 'sidetone_messages_total{direction="in"}')).toBe(6);
      expect(value(body, 'sidetone_messages_total{direction="out"}')).toBe(client.frames.length);
      expect(value(body, 'sidetone_chunks_total{outcome="cut"}')).toBe(1);
      expect(value(body, 'sidetone_chunks_total{outcome="spoken"}')).toBe(
        logOf('chunk spoken').length,
      );
      expect(value(body, 'sidetone_connections')).toBe(0);
    },
  );
});
