import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { type ServerFrame, StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { heapBytes } from '../heap-bytes.ts';
import { verifies } from '../verifies.ts';

const PATHS = ['stream-input', 'multi-stream-input'] as const;
type Path = (typeof PATHS)[number];
const MEBIBYTE = 1024 * 1024;

let server: StreamServer;

beforeAll(async () => {
  server = await startStreamServer({ samplesPerSymbol: 64 });
});
/** Whatever a scenario did, the server must be as it was before. */
afterEach(async () => {
  server.engine.release();
  await expect.poll(() => server.connections.count).toBe(0);
  await expect.poll(() => server.engine.liveJobs).toBe(0);
  server.engine.spoken.length = 0;
  const client = await connect('stream-input');
  client.send({ text: 'Still well.' }, { text: '' });
  expect(await client.closed).toEqual({ code: 1000, reason: '' });
  expect(server.engine.spoken.join('')).toBe('Still well.');
  server.engine.spoken.length = 0;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(path: Path): Promise<StreamClient> {
  const client = new StreamClient(`${server.url}/v1/text-to-speech/${VOICE_ID}/${path}`, {
    'xi-api-key': KEY,
  });
  await client.opened();
  return client;
}

/** Sends one raw message on a connection of its own, and returns its only answer and the close. */
async function refusal(path: Path, message: string | Uint8Array) {
  const client = await connect(path);
  client.socket.send(message);
  const { code } = await client.closed;
  expect(client.frames).toHaveLength(1);
  return { error: client.frames[0], closeCode: code };
}

async function connectDialogue(path: Path): Promise<StreamClient> {
  const url = `${server.url}/v1/text-to-dialogue/${path}`;
  const client = new StreamClient(url, { 'xi-api-key': KEY });
  await client.opened();
  return client;
}

async function isRefusedAsDialogue(message: string | Uint8Array, path: Path): Promise<void> {
  const client = await connectDialogue(path);
  client.socket.send(message);
  expect((await client.closed).code).toBe(1008);
  expect(client.frames).toMatchObject([{ error: 'invalid_input_message', code: 1008 }]);
  expect(client.frames[0]?.message?.length).toBeLessThan(600);
}

async function connectDeepgram(): Promise<StreamClient> {
  const client = new StreamClient(`${server.url}/v1/speak`, { authorization: `Token ${KEY}` });
  await client.opened();
  return client;
}

async function isRefusedByDeepgram(message: string | Uint8Array): Promise<void> {
  const client = await connectDeepgram();
  client.socket.send(message);
  expect((await client.closed).code).toBe(1008);
  expect(client.frames).toMatchObject([{ type: 'Metadata' }, { type: 'Error' }]);
  expect(JSON.stringify(client.frames[1]).length).toBeLessThan(700);
}

async function connectCartesia(): Promise<StreamClient> {
  const client = new StreamClient(`${server.url}/tts/websocket`, { 'x-api-key': KEY });
  await client.opened();
  return client;
}

async function isRefusedByCartesia(message: string | Uint8Array): Promise<void> {
  const client = await connectCartesia();
  client.socket.send(message);
  expect((await client.closed).code).toBe(1008);
  expect(client.frames).toMatchObject([{ type: 'error', done: true, status_code: 400 }]);
  expect(JSON.stringify(client.frames[0]).length).toBeLessThan(1400);
}

async function isRefused(message: string | Uint8Array): Promise<void> {
  await isRefusedByDeepgram(message);
  await isRefusedByCartesia(message);
  for (const path of PATHS) {
    await isRefusedAsDialogue(message, path);
    const { error, closeCode } = await refusal(path, message);
    expect(error).toMatchObject({ error: 'invalid_input_message', code: 1008 });
    expect(closeCode).toBe(1008);
  }
}

const isFinalOf = (contextId: string) => (frame: ServerFrame) =>
  frame.isFinal === true && frame.contextId === contextId;
const spoken = () => server.engine.spoken.join('');

describe('a message', () => {
  verifies('bad:json', 'that is not a JSON object is refused', async () => {
    const messages = ['', ' ', '{', '{"text":"a"', '\uFEFF{"text":"a"}', 'NaN', "{'text':'a'}"];
    const values = ['null', 'true', '5', '"text"', '[]', '[{"text":"a"}]', '{"text":"a"}{}', '\0'];
    for (const message of [...messages, ...values]) await isRefused(message);
  });

  verifies('bad:binary', 'in binary is refused, even if it is JSON', async () => {
    await isRefused(Buffer.from('{"text":"a"}'));
    await isRefused(Buffer.alloc(0));
  });

  verifies('bad:types', 'with a field of the wrong type is refused', async () => {
    const fields = {
      text: [5, true, [], {}, ['a']],
      flush: ['perhaps', 2, {}],
      try_trigger_generation: ['', -1],
      voice_settings: ['calm', 5, [], { stability: [] }, { stability: 2 }, { speed: '99' }],
      generation_config: [5, { chunk_length_schedule: [] }, { chunk_length_schedule: ['many'] }],
      xi_api_key: [5, {}],
      context_id: [5, {}, 'x'.repeat(257)],
      contextId: [false, ['a']],
      close_context: ['truly', 10],
      close_socket: [{}, 'now'],
    };
    for (const [field, values] of Object.entries(fields)) {
      for (const value of values) {
        const { error } = await refusal(
          'multi-stream-input',
          JSON.stringify({ text: 'a', [field]: value }),
        );
        expect(error).toMatchObject({ error: 'invalid_input_message', code: 1008 });
        expect(error?.message).toContain(field);
        expect(error?.message?.length).toBeLessThan(500);
      }
    }
  });

  verifies('bad:context', 'that names its context is refused by its name', async () => {
    for (const fields of [{ text: 5 }, { text: 'a', voice_settings: { stability: 7 } }]) {
      const message = JSON.stringify({ context_id: 'named', ...fields });
      const { error } = await refusal('multi-stream-input', message);
      expect(error).toMatchObject({ contextId: 'named', context_id: 'named' });
    }
  });

  verifies('bad:nesting', 'nested as deep as it fits in 64 KiB does no harm', async () => {
    const depth = 32_000;
    await isRefused('['.repeat(depth));
    await isRefused('['.repeat(depth) + ']'.repeat(depth));
    const deep = '['.repeat(depth - 100) + ']'.repeat(depth - 100);
    const { error } = await refusal('stream-input', `{"text":"a","voice_settings":${deep}}`);
    expect(error).toMatchObject({ error: 'invalid_input_message' });
    await isRefused(`{"text":"Deep.","unknown":${deep}}`);
    const shallow = '['.repeat(30) + ']'.repeat(30);
    const client = await connect('stream-input');
    client.socket.send(`{"text":"Deep.","unknown":${shallow}}`);
    client.send({ text: '' });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toBe('Deep.');
  });

  verifies('bad:prototype', 'with keys of the prototype changes none', async () => {
    const client = await connect('multi-stream-input');
    client.socket.send(
      '{"text":"Fine.","context_id":"a","__proto__":{"flush":true,"polluted":1},' +
        '"constructor":{"prototype":{"polluted":1}},' +
        '"voice_settings":{"__proto__":{"speed":99,"polluted":1},"hasOwnProperty":1}}',
    );
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toBe('Fine.');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  verifies('bad:context-id', 'may name its context after anything', async () => {
    const ids = [
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toString',
      'default',
      'stream',
      '',
      ' ',
      '\0',
      '\ud800',
      '"}{',
      'x'.repeat(256),
      '🙂'.repeat(64),
    ];
    const client = await connect('multi-stream-input');
    for (const id of ids) {
      client.send({ text: 'Hello.', context_id: id }, { context_id: id, close_context: true });
      await client.until(isFinalOf(id));
    }
    expect(spoken()).toBe('Hello.'.repeat(ids.length));
    client.send({ close_socket: true });
    await client.closed;
  });
});

describe('a message of a Deepgram client', () => {
  verifies('bad:types', 'with a field of the wrong type is refused', async () => {
    const types = [null, 5, true, {}, [], '', 'speak', 'SPEAK', '__proto__', 'Speak\0'];
    for (const type of types) await isRefusedByDeepgram(JSON.stringify({ type, text: 'a' }));
    for (const text of [null, 5, true, {}, ['a']]) {
      await isRefusedByDeepgram(JSON.stringify({ type: 'Speak', text }));
    }
  });

  verifies(['bad:order', 'bad:text'], 'in any order is tolerated', async () => {
    const [flush, clear, close] = ['Flush', 'Clear', 'Close'].map((type) => ({ type }));
    const say = (text: string) => ({ type: 'Speak', text });
    const sequences = [
      [clear, clear, flush, clear, flush, flush],
      [say(''), flush, say(' '), clear, say('\ud800'), flush, say('a'.repeat(60_000)), clear],
      [say('Never heard. '), clear, say('…'), flush, say('Heard.'), flush],
      Array.from({ length: 3000 }, (_, index) => [flush, clear, say('Hi. ')][index % 3] ?? clear),
      [say('a'), close, say('b'), flush, close],
    ];
    for (const frames of sequences) {
      const client = await connectDeepgram();
      client.send(...frames, close);
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
    }
  });

  verifies('bad:flood', 'that nobody could listen to is refused', async () => {
    server.engine.hold();
    const client = await connectDeepgram();
    const text = 'much too much '.repeat(2000);
    for (let part = 0; part < 10; part++) client.send({ type: 'Speak', text });
    expect((await client.closed).code).toBe(1008);
    expect(client.frames.at(-1)).toMatchObject({ type: 'Error', code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('a message of a Cartesia client', () => {
  verifies('bad:types', 'with a field of the wrong type is refused', async () => {
    for (const odd of [5, true, {}, ['a']]) {
      await isRefusedByCartesia(JSON.stringify({ context_id: 'a', transcript: odd }));
      await isRefusedByCartesia(JSON.stringify({ context_id: odd, transcript: 'a' }));
    }
    const others = [{ voice: 5 }, { output_format: 'raw' }, { continue: 'maybe' }, { flush: {} }];
    for (const other of others) {
      await isRefusedByCartesia(JSON.stringify({ context_id: 'a', transcript: 'a', ...other }));
    }
  });

  verifies(['bad:order', 'bad:text'], 'in any order is tolerated', async () => {
    const message = (id: string, transcript: string, others: object = {}) => ({
      ...{ context_id: id, transcript, continue: true, ...others },
    });
    const cancel = (id: string) => ({ context_id: id, cancel: true });
    const client = await connectCartesia();
    for (const id of ['a', '__proto__', 'constructor', 'ü']) {
      client.send(cancel(id), message(id, '', { flush: true }), message(id, ' '), cancel(id));
      client.send(message(id, '\ud800'), message(id, 'a'.repeat(20_000)), cancel(id), cancel(id));
      client.send(message(id, '', { continue: false }), message(id, 'Heard.', { continue: false }));
      await client.until(({ type, context_id: of }) => type === 'done' && of === id);
    }
    client.socket.close();
    await client.closed;
  });

  verifies('bad:flood', 'that nobody could listen to ends its context', async () => {
    server.engine.hold();
    const client = await connectCartesia();
    const transcript = 'much too much '.repeat(2000);
    for (let part = 0; part < 10; part++) {
      client.send({ context_id: 'a', transcript, continue: true });
    }
    const error = await client.until(({ type }) => type === 'error');
    expect(error).toMatchObject({ context_id: 'a', error_code: 'text_too_long' });
    server.engine.release();
    client.socket.close();
    await client.closed;
  });
});

describe('a message of a dialogue', () => {
  const voices = [VOICE_ID];
  const says = (text: unknown, more: object = {}) => ({
    inputs: [{ text, voice_id: VOICE_ID, ...more }],
  });

  verifies('bad:types', 'with a field of the wrong type is refused', async () => {
    const fields = {
      inputs: [5, 'a', {}, [5], [{}], [{ text: 'a' }], [{ voice_id: VOICE_ID }], says(5).inputs],
      voices: ['a', [], [5], Array.from({ length: 11 }, () => VOICE_ID)],
      voice_settings: ['calm', { stability: 2 }],
      flush: ['perhaps', {}],
      keep_alive: ['perhaps', []],
      close_socket: [{}, 'now'],
      xi_api_key: [5],
    };
    for (const [field, values] of Object.entries(fields)) {
      for (const value of values) {
        await isRefusedAsDialogue(JSON.stringify({ [field]: value }), 'stream-input');
      }
    }
  });

  verifies(['bad:order', 'bad:text'], 'in any order is tolerated', async () => {
    const close = { close_context: true, context_id: 'a' };
    const sequences = [
      [{ flush: true }, { keep_alive: true }, { flush: true, keep_alive: true }, {}],
      [close, close, { voices, context_id: 'a' }, { ...says('late'), context_id: 'a' }],
      [{ voices }, says(''), says(' '), says('', { new_turn: true }), says('[laughs]')],
      [{ voices }, says('[pa'), says('use 9999s'), says(']'), says('['.repeat(5000)), says('x')],
      [{ voices, ...says('\ud800'), flush: true, keep_alive: true }, { voices }, { voices }],
      [{ voices }, ...Array.from({ length: 500 }, () => says('Hi. ', { new_turn: true }))],
    ];
    for (const path of PATHS) {
      for (const frames of sequences) {
        const client = await connectDialogue(path);
        client.send(...frames, { close_socket: true });
        expect(await client.closed).toEqual({ code: 1000, reason: '' });
      }
    }
  });

  verifies('bad:flood', 'that nobody could listen to is refused', async () => {
    server.engine.hold();
    const client = await connectDialogue('stream-input');
    client.send({ voices });
    for (let part = 0; part < 10; part++) client.send(says('much too much '.repeat(2000)));
    expect((await client.closed).code).toBe(1008);
    expect(client.frames.at(-1)).toMatchObject({ error: 'text_too_long', code: 1008 });
  });
});

describe('text', () => {
  verifies('bad:text', 'of half characters, controls and marks is spoken or skipped', async () => {
    const texts = [
      'lone \ud800 high',
      'lone \udc00 low',
      'swapped \udc00\ud800',
      'nul \0 inside',
      'bell \x07 escape \x1b[31m',
      'marks a\u0301\u0301\u0301'.padEnd(3000, '\u0301'),
      'rtl \u202e override',
      '\u2028\u2029\ufeff\u200b',
      '<speak><break time="9999s"/>&lol9;</speak>',
      '%s%n {{7*7}} `id` <%= 7 %>',
    ];
    for (const text of texts) {
      const client = await connect('stream-input');
      client.send({ text, flush: true }, { text: 'And on.' }, { text: '' });
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
      expect(spoken().endsWith('And on.')).toBe(true);
    }
  });

  verifies('bad:tiny-messages', 'in 100 000 messages of one character is all spoken', async () => {
    const client = await connect('stream-input');
    const text = 'All of this is said, one letter at a time. '.repeat(2326).slice(0, 100_000);
    for (const letter of text) client.send({ text: letter });
    client.send({ text: '' });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken().replace(/\s+/g, ' ').trim()).toBe(text.trim());
  });

  verifies('bad:never-flushed', 'without an end is spoken as it comes', async () => {
    const client = await connect('stream-input');
    client.send({ text: 'a'.repeat(60_000) });
    await client.until(({ audio }) => Boolean(audio));
    client.send({ text: '' });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toBe('a'.repeat(60_000));
  });

  verifies('bad:flood', 'that nobody could listen to is refused', async () => {
    server.engine.hold();
    for (const path of PATHS) {
      const client = await connect(path);
      for (let part = 0; part < 10; part++) client.send({ text: 'much too much '.repeat(2000) });
      expect((await client.closed).code).toBe(1008);
      expect(client.frames.at(-1)).toMatchObject({ error: 'text_too_long', code: 1008 });
    }
  });

  verifies('bad:flood', 'is counted over all contexts, also those that are closed', async () => {
    server.engine.hold();
    const client = await connect('multi-stream-input');
    for (let part = 0; part < 10; part++) {
      client.send(
        { text: 'much too much '.repeat(2000), context_id: `c${part}` },
        { context_id: `c${part}`, close_context: true },
      );
    }
    expect((await client.closed).code).toBe(1008);
    expect(client.frames.at(-1)).toMatchObject({ error: 'text_too_long', contextId: 'c3' });
  });
});

describe('contexts', () => {
  verifies('bad:context-flood', 'by the thousand in one go are all spoken', async () => {
    const client = await connect('multi-stream-input');
    const ids = Array.from({ length: 3000 }, (_, index) => `c${index}`);
    for (const id of ids) {
      client.send({ text: 'Hi.', context_id: id }, { context_id: id, close_context: true });
    }
    client.send({ close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    const finals = client.frames.filter(({ isFinal }) => isFinal).map((frame) => frame.contextId);
    expect(finals.sort()).toEqual(ids.sort());
    expect(spoken().length).toBe(3 * ids.length);
  });

  verifies('bad:context-flood', 'that only ever get settings cost nothing', async () => {
    const client = await connect('multi-stream-input');
    const flood = async (from: number) => {
      for (let index = from; index < from + 20_000; index++) {
        client.send({ text: '', context_id: `c${index}`, voice_settings: { stability: 0.4 } });
      }
      client.send({ context_id: `end${from}`, close_context: true });
      await client.until(isFinalOf(`end${from}`));
    };
    await flood(0);
    const before = heapBytes();
    await flood(20_000);
    expect(heapBytes() - before).toBeLessThan(MEBIBYTE);
    client.send({ close_socket: true });
    await client.closed;
  });
});

describe('frames out of order', () => {
  const close = { close_context: true, context_id: 'a' };
  const multi: Array<readonly object[]> = [
    [close, close, close],
    [{ flush: true }, { flush: true, context_id: 'a' }, close],
    [{ close_context: true }, { text: 'a' }, { close_context: true }],
    [{ close_socket: true }],
    [{ close_socket: true }, { text: 'late', context_id: 'a' }, { close_socket: true }],
    [{}, { text: null }, { context_id: null }, { text: 'b', context_id: 'a' }, close],
    [{ text: 'c', context_id: 'a', flush: true, close_context: true, close_socket: true }],
    [{ text: 'd', context_id: 'a' }, { xi_api_key: 'sk_other', text: ' ', context_id: 'a' }, close],
    [{ text: 'e', context_id: 'a', contextId: 'b' }, close],
  ];
  const single: Array<readonly object[]> = [
    [{ text: '' }],
    [{ flush: true }, { text: '', flush: true }, {}],
    [{ text: 'a' }, { text: '' }, { text: 'b' }, { text: '' }, { flush: true }],
    [{ close_socket: true }, { close_context: true, context_id: 'x' }],
    [{ try_trigger_generation: true }, { text: ' ', try_trigger_generation: true, flush: true }],
  ];

  verifies('bad:order', 'are tolerated', async () => {
    for (const [path, sequences] of [
      ['multi-stream-input', multi],
      ['stream-input', single],
    ] as const) {
      for (const frames of sequences) {
        const client = await connect(path);
        client.send(...frames, { text: '' }, { close_socket: true });
        expect(await client.closed).toEqual({ code: 1000, reason: '' });
        expect(client.frames.every(({ error }) => error === undefined)).toBe(true);
      }
    }
  });
});
