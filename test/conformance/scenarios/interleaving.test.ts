import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ServerFrame, StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { readTones } from '../../support/tone-engine.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { heapBytes } from '../heap-bytes.ts';
import { verifies } from '../verifies.ts';

let server: StreamServer;

beforeAll(async () => {
  server = await startStreamServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(query = ''): Promise<StreamClient> {
  const path = `/v1/text-to-speech/${VOICE_ID}/multi-stream-input?output_format=pcm_22050`;
  const client = new StreamClient(`${server.url}${path}${query}`, { 'xi-api-key': KEY });
  await client.opened();
  return client;
}

const CONTEXT_IDS = ['a', 'b', 'c', 'd', 'e'];
const SETTINGS = { voice_settings: { stability: 0.4, speed: 1 } };

/** One thing that a client does to one context; `speak` may be cut into fragments anywhere. */
type Step =
  | { readonly does: 'speak'; readonly phrase: string; readonly cuts: readonly number[] }
  | { readonly does: 'flush' | 'keep-alive' | 'repeat-settings' | 'trigger' };
type Ending = 'flush-and-close' | 'close' | 'close-twice' | 'close-then-late-frames';

interface Script {
  readonly steps: readonly Step[];
  readonly ending: Ending;
}

const word = fc.stringMatching(/^[A-Za-z]{1,9}$/);
const phrase = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 6 }), fc.constantFrom('', ',', '.', '?', '...'))
  .map(([words, mark]) => `${words.join(' ')}${mark} `);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('speak' as const),
      phrase,
      cuts: fc.array(fc.nat({ max: 40 }), { maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('flush', 'keep-alive', 'repeat-settings', 'trigger'),
    }),
  },
);
const script: fc.Arbitrary<Script> = fc.record({
  steps: fc.array(step, { maxLength: 8 }),
  ending: fc.constantFrom<Ending>(
    'flush-and-close',
    'close',
    'close-twice',
    'close-then-late-frames',
  ),
});
/** For each frame: which script goes on (its remainder by the number there are), and whether to wait. */
const order = fc.infiniteStream(fc.record({ script: fc.nat({ max: 59 }), waits: fc.boolean() }));

function framesOf({ steps, ending }: Script, contextId: string): object[] {
  const named = { context_id: contextId };
  const close = { ...named, close_context: true };
  const lateFrames = [
    { ...named, flush: true },
    { ...named, text: '' },
    { ...named, ...SETTINGS },
  ];
  const endings: Record<Ending, readonly object[]> = {
    'flush-and-close': [{ ...named, flush: true }, close],
    close: [close],
    'close-twice': [close, close],
    'close-then-late-frames': [close, ...lateFrames],
  };
  return [...steps.flatMap((each) => stepFrames(each, named)), ...endings[ending]];
}

function stepFrames(each: Step, named: { readonly context_id: string }): object[] {
  switch (each.does) {
    case 'speak':
      return pieces(each.phrase, each.cuts).map((text) => ({ ...named, text, ...SETTINGS }));
    case 'flush':
      return [{ ...named, flush: true }];
    case 'keep-alive':
      return [{ ...named, text: '' }, { text: '' }];
    case 'repeat-settings':
      return [{ ...named, text: ' ', ...SETTINGS }];
    case 'trigger':
      return [{ ...named, text: ' ', try_trigger_generation: true, ...SETTINGS }];
  }
}

/** Dots are kept together: what comes after the first has been spoken is nothing to say by itself. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const places = cuts
    .map((cut) => cut % text.length)
    .filter((cut) => text.slice(cut - 1, cut + 1) !== '..');
  const at = [0, ...places.sort((a, b) => a - b), text.length];
  return at.slice(1).flatMap((end, index) => {
    const piece = text.slice(at[index], end);
    return piece === '' ? [] : [piece];
  });
}

/** Sends the frames of all scripts, each script's own in order, mixed as `turns` says. */
async function play(
  client: StreamClient,
  scripts: readonly Script[],
  turns: Iterator<{ readonly script: number; readonly waits: boolean }>,
): Promise<void> {
  let queues = scripts.map((each, index) => framesOf(each, CONTEXT_IDS[index] ?? ''));
  while (queues.length > 0) {
    const { script: choice, waits } = turns.next().value;
    const queue = queues[choice % queues.length] ?? [];
    client.send(queue.shift());
    if (waits) await new Promise((resolve) => setImmediate(resolve));
    queues = queues.filter(({ length }) => length > 0);
  }
}

const isOf = (contextId: string) => (frame: ServerFrame) =>
  frame.contextId === contextId && frame.context_id === contextId;
const normal = (text: string) => text.replace(/\s+/g, ' ').trim();
const sentText = ({ steps }: Script) =>
  normal(steps.map((each) => (each.does === 'speak' ? each.phrase : '')).join(''));
const unspaced = (text: string) => text.replace(/\s+/g, '');

/** Everything that came for one context, against everything that was sent to it. */
function check(frames: readonly ServerFrame[], each: Script): void {
  expect(frames.filter(({ isFinal }) => isFinal)).toHaveLength(1);
  expect(frames.at(-1)?.isFinal).toBe(true);
  const audio = frames.flatMap((frame) =>
    frame.audio ? [Buffer.from(frame.audio, 'base64')] : [],
  );
  const heard = unspaced(readTones(Buffer.concat(audio)));
  const aligned = frames.flatMap(({ alignment }) => (alignment ? [alignment] : []));
  const written = aligned.map(({ chars }) => chars.join('')).join('');
  for (const { chars, charStartTimesMs, charDurationsMs } of aligned) {
    expect(charStartTimesMs).toHaveLength(chars.length);
    expect(charDurationsMs).toHaveLength(chars.length);
    expect([...charStartTimesMs, ...charDurationsMs].every(Number.isInteger)).toBe(true);
    expect(Math.min(...charStartTimesMs, ...charDurationsMs)).toBeGreaterThanOrEqual(0);
  }
  const sent = sentText(each);
  if (each.ending === 'close-twice') {
    expect(unspaced(sent).startsWith(heard)).toBe(true);
    expect(unspaced(sent).startsWith(unspaced(written))).toBe(true);
  } else {
    expect(heard).toBe(unspaced(sent));
    expect(normal(written)).toBe(sent);
  }
}

describe('five contexts at once', () => {
  for (const query of [
    '',
    '&auto_mode=true',
    '&sync_alignment=true&optimize_streaming_latency=3',
  ]) {
    verifies(
      [
        'mix:all-audio',
        'mix:one-final',
        'mix:nothing-after-final',
        'mix:alignment',
        'mix:own-audio',
      ],
      `each hear their own text, whatever the order of their frames (${query || 'no query'})`,
      () =>
        fc.assert(
          fc.asyncProperty(
            fc.array(script, { minLength: 1, maxLength: CONTEXT_IDS.length }),
            order,
            async (scripts, turns) => {
              const client = await connect(query);
              await play(client, scripts, turns[Symbol.iterator]());
              const ids = CONTEXT_IDS.slice(0, scripts.length);
              const isFinalOf = (id: string) => (frame: ServerFrame) =>
                isOf(id)(frame) && frame.isFinal === true;
              await Promise.all(ids.map((id) => client.until(isFinalOf(id))));
              client.send({ close_socket: true });
              expect(await client.closed).toEqual({ code: 1000, reason: '' });
              expect(client.frames.every(({ contextId }) => ids.includes(contextId ?? ''))).toBe(
                true,
              );
              for (const [index, each] of scripts.entries()) {
                check(client.frames.filter(isOf(ids[index] ?? '')), each);
              }
            },
          ),
          { numRuns: 60 },
        ),
    );
  }
});

describe('one connection', () => {
  const CYCLES = 10_000;

  verifies('mix:no-leak', `holds nothing of ${CYCLES} contexts that came and went`, async () => {
    const client = await connect();
    let heapHalfway = 0;
    for (let cycle = 0; cycle < CYCLES; cycle += CONTEXT_IDS.length) {
      const ids = CONTEXT_IDS.map((id) => `${id}-${cycle}`);
      for (const id of ids) {
        client.send({ text: ' ', context_id: id, ...SETTINGS }, { text: 'Hi.', context_id: id });
        client.send({ context_id: id, close_context: true }, { text: '', context_id: id });
      }
      for (const id of ids) {
        await client.until((frame) => isOf(id)(frame) && frame.isFinal === true);
        client.send({ context_id: id, text: '', ...SETTINGS });
      }
      client.frames.length = 0;
      server.engine.spoken.length = 0;
      if (cycle === CYCLES / 2) heapHalfway = heapBytes();
    }
    // 100 bytes a context: less than the smallest thing that could be kept of each.
    expect(heapBytes() - heapHalfway).toBeLessThan((CYCLES / 2) * 100);
    expect(server.engine.liveJobs).toBe(0);
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
  });
});
