import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { ANNA, BEN, findDialogueVoice } from '../../support/dialogue-voices.ts';
import { type ServerFrame, StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { verifies } from '../verifies.ts';

const SAMPLE_RATE = 16_000;

let server: StreamServer;
const charged: number[] = [];

beforeAll(async () => {
  server = await startStreamServer({
    speech: {
      findVoice: findDialogueVoice,
      openMeter: () => ({
        enter: async ({ characters }) => {
          charged.push(characters);
          return { hear: () => undefined, end: async () => undefined };
        },
      }),
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.engine.spoken.length = 0;
  charged.length = 0;
  vi.restoreAllMocks();
});

type Door = 'stream-input' | 'multi-stream-input';

async function connect(
  door: Door,
  query = '',
  headers: Record<string, string> = { 'xi-api-key': KEY },
) {
  const path = `/v1/text-to-dialogue/${door}?output_format=pcm_16000&${query}`;
  const client = new StreamClient(`${server.url}${path}`, headers);
  await client.opened();
  return client;
}

interface DialogueAlignment {
  readonly chars: string[];
  readonly char_start_times_ms: number[];
  readonly char_durations_ms: number[];
}

const timesOf = ({ alignment }: ServerFrame) => alignment as DialogueAlignment | undefined;
const spoken = () => server.engine.spoken.join('');
const says = (text: string, voice_id: string = ANNA, more: object = {}) => ({
  inputs: [{ text, voice_id, ...more }],
});
const written = (client: StreamClient) =>
  client.frames.flatMap((frame) => timesOf(frame)?.chars ?? []).join('');
const audioMs = (client: StreamClient) => (client.audio().length / 2 / SAMPLE_RATE) * 1000;
/** Who said what, as the engine was asked. */
function heardBy() {
  const synthesise = vi.spyOn(server.engine, 'synthesise');
  return () =>
    synthesise.mock.calls.map(([{ speaker, symbols }]) => [speaker, symbols.join('').trim()]);
}

/** Sends messages on stream-input, ends the dialogue, and returns when the connection has closed. */
async function speak(messages: readonly object[], query = '') {
  const client = await connect('stream-input', query);
  client.send(...messages, { close_socket: true });
  return { client, closed: await client.closed };
}

describe('a dialogue', () => {
  verifies(['dialogue:voices', 'dialogue:metered'], 'is said by its voices in turn', async () => {
    const heard = heardBy();
    const { client, closed } = await speak([
      { voices: [ANNA, BEN], voice_settings: { stability: 0.4 } },
      says('Are you there?'),
      says('Yes, I am.', BEN),
      { inputs: [says('Good.').inputs[0], says('And you?', BEN).inputs[0]] },
    ]);
    expect(closed).toEqual({ code: 1000, reason: '' });
    expect(heard()).toEqual([
      [1, 'Are you there?'],
      [2, 'Yes, I am.'],
      [1, 'Good.'],
      [2, 'And you?'],
    ]);
    expect(written(client).trim()).toBe('Are you there? Yes, I am. Good. And you?');
    expect(charged.reduce((sum, characters) => sum + characters, 0)).toBe(37);
    expect(client.frames.at(-1)).toEqual({ is_final: true, 'x-trace-id': expect.any(String) });
  });

  verifies('dialogue:turn', 'completes what was sent before a new turn', async () => {
    const heard = heardBy();
    await speak([
      { voices: [ANNA, BEN] },
      says('So I said'),
      says(' to him'),
      says('no', ANNA, { new_turn: true }),
      says('What', BEN),
      says(' then', BEN),
    ]);
    expect(heard()).toEqual([
      [1, 'So I said to him'],
      [1, 'no'],
      [2, 'What then'],
    ]);
  });

  verifies(['dialogue:joint', 'dialogue:alignment'], 'is one unbroken stream', async () => {
    const messages = [{ voices: [ANNA, BEN] }, says('One here. Two.'), says('Three.', BEN)];
    const { client } = await speak(messages);
    const alone = says('Three.', ANNA, { new_turn: true });
    const monologue = await speak([{ voices: [ANNA] }, says('One here. Two.'), alone]);
    expect(client.audio().equals(monologue.client.audio())).toBe(true);
    const alignments = client.frames.flatMap((frame) => timesOf(frame) ?? []);
    expect(alignments.length).toBeGreaterThan(3);
    let lastedMs = 0;
    for (const { chars, char_start_times_ms: starts, char_durations_ms: durations } of alignments) {
      expect(starts[0]).toBe(0);
      expect([starts.length, durations.length]).toEqual([chars.length, chars.length]);
      expect([...starts, ...durations].every(Number.isInteger)).toBe(true);
      lastedMs += (starts.at(-1) ?? 0) + (durations.at(-1) ?? 0);
    }
    expect(Math.abs(lastedMs - audioMs(client))).toBeLessThan(5);
  });

  verifies('dialogue:alignment', 'comes without times where they are not wanted', async () => {
    const messages = [{ voices: [ANNA] }, says('One.')];
    const { client } = await speak(messages, 'sync_alignment=false');
    expect(client.audio().length).toBeGreaterThan(0);
    expect(client.frames.some((frame) => 'alignment' in frame)).toBe(false);
  });

  verifies('dialogue:unknown-voice', 'is refused before anything is said', async () => {
    const cases = [
      [[{ voices: [ANNA, 'nobody'] }, says('Hello.')], 'voice_id_does_not_exist'],
      [[{ voices: [ANNA] }, says('Hello'), says('Hi.', BEN)], 'invalid_input_message'],
      [[says('Hello.')], 'invalid_input_message'],
    ] as const;
    for (const [messages, error] of cases) {
      const { client, closed } = await speak(messages);
      expect(closed.code).toBe(1008);
      expect(client.frames.at(-1)).toMatchObject({ error, code: 1008 });
      expect(client.frames.at(-1)?.message).toMatch(/nobody|among the voices/);
    }
    expect(charged).toEqual([]);
  });

  verifies('dialogue:unknown-voice', 'is told before any text has come', async () => {
    const names = { voices: [ANNA, 'nobody'] };
    const alone = await connect('stream-input');
    alone.send({ voices: [ANNA] }, names);
    expect((await alone.closed).code).toBe(1008);
    expect(alone.frames).toMatchObject([{ error: 'voice_id_does_not_exist', code: 1008 }]);
    const several = await connect('multi-stream-input');
    several.send({ context_id: 'a', ...names });
    expect((await several.closed).code).toBe(1008);
    expect(several.frames).toMatchObject([
      {
        error: 'voice_id_does_not_exist',
        context_id: 'a',
        message: expect.stringMatching(/nobody/),
      },
    ]);
  });

  verifies('dialogue:buffering', 'begins after some words or a sentence', async () => {
    const client = await connect('stream-input');
    client.send({ voices: [ANNA] });
    for (const word of 'Well I would say that it is all '.split(/(?<= )/)) client.send(says(word));
    client.send(says('right and will be even better tomorrow '));
    await client.until(({ audio }) => Boolean(audio));
    expect(spoken().length).toBeLessThan(70);
    client.send({ flush: true });
    await client.until((frame) => frame.is_final_audio_for_turn === true);
    const before = client.frames.length;
    client.send(says('Yes. '));
    await client.until((frame) => Boolean(frame.audio) && client.frames.indexOf(frame) >= before);
    client.send({ close_socket: true });
    await client.closed;
  });

  verifies('dialogue:key', 'may begin with the key', async () => {
    const client = await connect('stream-input', '', {});
    client.send({ voices: [ANNA], xi_api_key: KEY }, says('Hello.'), { close_socket: true });
    expect((await client.closed).code).toBe(1000);
    expect(spoken()).toBe('Hello.');
    const stranger = await connect('stream-input', '', {});
    stranger.send({ voices: [ANNA] });
    expect((await stranger.closed).code).toBe(1008);
    expect(stranger.frames).toMatchObject([{ error: 'authentication_required' }]);
  });

  verifies('dialogue:models', 'is spoken by the models that clients name', async () => {
    for (const model of ['eleven_v3', 'eleven_v3_conversational', 'eleven_v4_turbo']) {
      const { closed } = await speak([{ voices: [ANNA] }, says('Hello.')], `model_id=${model}`);
      expect(closed.code).toBe(1000);
    }
    expect(spoken()).toBe('Hello.'.repeat(3));
    await expect(connect('stream-input', 'model_id=eleven_v9')).rejects.toThrow('400');
  });

  verifies('dialogue:tags', 'acts on audio tags or leaves them out', async () => {
    const plain = await speak([{ voices: [ANNA, BEN] }, says('So.'), says(' Yes [sic] sir.', BEN)]);
    const without = spoken();
    server.engine.spoken.length = 0;
    const { client } = await speak([
      { voices: [ANNA, BEN] },
      ...['[warm', 'ly]So.', '[pause', ' 700ms', ']'].map((text) => says(text)),
      says('[laughs] Yes [sic] sir.', BEN),
    ]);
    expect(spoken().replaceAll(' ', '')).toBe(without.replaceAll(' ', ''));
    expect(Math.abs(audioMs(client) - audioMs(plain.client) - 700)).toBeLessThan(100);
    expect(written(client)).toContain('[pause 700ms]');
  });

  verifies('dialogue:foreign', 'tells other messages where they belong', async () => {
    const { client } = await speak([{ text: 'Hello. ' }]);
    expect(client.frames[0]?.message).toContain('/v1/text-to-speech/{voice_id}/stream-input');
    const speech = new StreamClient(`${server.url}/v1/text-to-speech/${ANNA}/multi-stream-input`, {
      'xi-api-key': KEY,
    });
    await speech.opened();
    speech.send({ context_id: 'a', voices: [ANNA] });
    await speech.closed;
    expect(speech.frames[0]?.message).toContain('/v1/text-to-dialogue/stream-input');
  });
});

describe('dialogues on one connection', () => {
  const of = (context_id: string) => (frame: ServerFrame) => frame.context_id === context_id;
  const isFinal = (frame: ServerFrame) => frame.is_final === true;
  const isTurnFinal = (frame: ServerFrame) => frame.is_final_audio_for_turn === true;

  verifies(['dialogue:flush', 'dialogue:final'], 'tell their turns and their ends', async () => {
    const client = await connect('multi-stream-input', 'sync_alignment=true');
    for (const context_id of ['a', 'b']) {
      client.send(
        { context_id, voices: [ANNA], voice_settings: { stability: 0.5 } },
        { context_id, ...says('Hello there', ANNA, { new_turn: true }) },
        { context_id, flush: true },
        { context_id, ...says('And more'), flush: true },
        { context_id, close_context: true },
      );
    }
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    for (const id of ['a', 'b']) {
      const frames = client.frames.filter(of(id));
      const order = frames.map((frame) =>
        isFinal(frame) ? 'final' : isTurnFinal(frame) ? 'turn' : 'audio',
      );
      expect(order.join(' ')).toMatch(/^(audio )+turn (audio )+turn final$/);
    }
  });

  verifies('dialogue:keep-alive', 'may be kept open by one that never speaks', async () => {
    const client = await connect('multi-stream-input');
    client.send({ context_id: 'quiet', voices: [ANNA] });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const context_id of ids) client.send({ context_id, voices: [BEN], ...says('Hm', BEN) });
    client.send({ context_id: 'quiet', keep_alive: true }, { keep_alive: true });
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(
      client.frames
        .filter(isFinal)
        .map(({ context_id }) => context_id)
        .sort(),
    ).toEqual(ids);
  });

  verifies('dialogue:voices', 'have voices of their own, or those of all', async () => {
    const heard = heardBy();
    const client = await connect('multi-stream-input');
    client.send({ voices: [BEN] }, { context_id: 'a', ...says('All.', BEN), close_context: true });
    await client.until((frame) => of('a')(frame) && isFinal(frame));
    client.send({ context_id: 'b', voices: [ANNA], ...says('Mine.'), close_context: true });
    await client.until((frame) => of('b')(frame) && isFinal(frame));
    expect(heard()).toEqual([
      [2, 'All.'],
      [1, 'Mine.'],
    ]);
    client.send({ context_id: 'c', voices: [ANNA], ...says('Not mine.', BEN) });
    expect((await client.closed).code).toBe(1008);
    expect(client.frames.at(-1)).toMatchObject({ context_id: 'c', error: 'invalid_input_message' });
  });
});
