import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { DictionaryRule } from '../../../src/domain/dictionary.ts';
import { openStreamAccount, type StreamAccount } from '../../support/stream-account.ts';
import { type ServerFrame, StreamClient } from '../../support/stream-client.ts';
import { type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

const CHARACTER_LIMIT = 100;
const QUARTER_HOUR_MS = 15 * 60_000;

let account: StreamAccount;
let server: StreamServer;

beforeEach(async () => {
  account = await openStreamAccount(CHARACTER_LIMIT);
  server = await startStreamServer({
    speech: account.speech,
    confirmIntervalMs: 30,
    guard: account.guard,
    failOn: '%',
  });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await account[Symbol.asyncDispose]();
});

async function connect(path: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = new StreamClient(`${server.url}/v1/text-to-speech/${VOICE_ID}/${path}`, headers);
  await client.opened();
  return client;
}

const connectWithKey = (path: string) => connect(path, { 'xi-api-key': account.key.secret });
const spoken = () => server.engine.spoken.join('');
const written = ({ frames }: StreamClient) =>
  frames.flatMap(({ alignment }) => alignment?.chars ?? []).join('');
const hasEnded = (id: string) => (frame: ServerFrame) =>
  frame.isFinal === true && frame.contextId === id;

describe('a single-use token', () => {
  const withToken = (token: string) => connect(`stream-input?single_use_token=${token}`);

  async function isRefused(token: string): Promise<void> {
    const client = await withToken(token);
    client.send({ text: 'Hello.' }, { text: '' });
    expect((await client.closed).code).toBe(1008);
    expect(client.frames).toEqual([
      expect.objectContaining({
        error: 'invalid_api_key',
        code: 1008,
        param: 'single_use_token',
      }),
    ]);
  }

  verifies(['auth:single-use-token', 'auth:token-used'], 'opens one connection', async () => {
    const token = await account.tokens.issue(account.caller, 'tts_websocket');
    const client = await withToken(token);
    client.send({ text: 'Hello.' }, { text: '' });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toBe('Hello.');
    expect(await account.usedCharacters()).toBe('Hello.'.length);
    await isRefused(token);
    await isRefused('sutkn_neverMade');
  });

  verifies(
    ['auth:single-use-token', 'auth:token-used'],
    'may come in the first frame',
    async () => {
      const voice_id = VOICE_ID;
      for (const [path, first, ...others] of [
        [`text-to-speech/${VOICE_ID}/stream-input`, { text: 'Hello.' }, { text: '' }],
        [
          'text-to-dialogue/stream-input',
          { voices: [voice_id], inputs: [{ text: 'Hello.', voice_id }] },
          { close_socket: true },
        ],
      ] as const) {
        const single_use_token = await account.tokens.issue(account.caller, 'tts_websocket');
        for (const code of [1000, 1008]) {
          const client = new StreamClient(`${server.url}/v1/${path}`);
          await client.opened();
          client.send({ ...first, single_use_token }, ...others);
          expect((await client.closed).code).toBe(code);
        }
      }
      expect(spoken()).toBe('Hello.'.repeat(2));
    },
  );

  verifies('auth:token-expired', 'is good for a quarter of an hour', async () => {
    const [early, late] = [
      await account.tokens.issue(account.caller, 'tts_websocket'),
      await account.tokens.issue(account.caller, 'tts_websocket'),
    ];
    account.clock.nowMs += QUARTER_HOUR_MS - 1;
    const client = await withToken(early);
    client.send({ text: '' });
    expect((await client.closed).code).toBe(1000);
    account.clock.nowMs += 1;
    await isRefused(late);
  });

  verifies('auth:token-purpose', 'opens what it was made for', async () => {
    const token = await account.tokens.issue(account.caller, 'realtime_scribe');
    await isRefused(token);
    expect(await account.tokens.redeem(token, ['realtime_scribe'])).toEqual({
      ...account.caller,
      scopes: [],
    });
  });
});

describe('a silent connection', () => {
  const end: Record<string, () => Promise<unknown>> = {
    rotated: () => account.apiKeyRegistry.rotate('acme', account.key.key.keyId),
    revoked: () => account.apiKeyRegistry.revoke('acme', account.key.key.keyId),
  };

  for (const [how, act] of Object.entries(end)) {
    verifies('auth:key-revoked', `ends when its key is ${how}`, async () => {
      const other = await account.apiKeyRegistry.create('acme', 'other');
      const bystander = await connect('stream-input', { 'xi-api-key': other.secret });
      bystander.send({ text: ' ' });
      const clients = await Promise.all([
        connectWithKey('stream-input'),
        connectWithKey('multi-stream-input'),
        connectWithKey('jambonz'),
      ]);
      for (const client of clients.slice(0, 2)) client.send({ text: ' ' });
      const token = await account.tokens.issue(account.caller, 'tts_websocket');
      const guest = await connect(`stream-input?single_use_token=${token}`);
      // Speech that comes back shows that it was let in, and the token used up.
      guest.send({ text: 'Hi.', flush: true });
      await guest.until(({ audio }) => Boolean(audio));
      await act();
      for (const client of [...clients, guest]) {
        expect((await client.closed).code).toBe(1008);
        const { error, code } = client.frames.at(-1) ?? {};
        expect([error, code]).toContain('invalid_api_key');
      }
      bystander.send({ text: 'Still here.' }, { text: '' });
      expect(await bystander.closed).toEqual({ code: 1000, reason: '' });
    });
  }
});

describe('pronunciation dictionaries', () => {
  const alias = (stringToReplace: string, words: string): DictionaryRule => ({
    type: 'alias',
    stringToReplace,
    alias: words,
    caseSensitive: true,
    wordBoundaries: true,
  });

  /** @returns its locator, as clients write it. */
  async function dictionary(...rules: readonly DictionaryRule[]) {
    const made = await account.registry.create('acme', { name: 'Names', description: null, rules });
    return {
      pronunciation_dictionary_id: made.dictionaryId,
      version_id: made.latestVersionId,
    };
  }

  verifies(
    ['dict:first-frame', 'dict:original-text'],
    'of the first frame change what is spoken, and not what is written',
    async () => {
      const locator = await dictionary(alias('API', 'ay pee eye'));
      const client = await connectWithKey('stream-input');
      client.send({ text: ' ', pronunciation_dictionary_locators: [locator] });
      client.send({ text: 'The API ' }, { text: 'is here.' }, { text: '' });
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
      expect(spoken()).toBe('The ay pee eye is here.');
      expect(written(client)).toBe('The API is here. ');
      const normalised = client.frames.flatMap(
        ({ normalizedAlignment }) => normalizedAlignment?.chars ?? [],
      );
      expect(normalised.join('')).toBe(' The ay pee eye is here. ');
    },
  );

  verifies('dict:first-frame', 'are those of each context, or of the connection', async () => {
    const [one, two] = [await dictionary(alias('x', 'one')), await dictionary(alias('x', 'two'))];
    const client = await connectWithKey('multi-stream-input');
    client.send({ text: ' ', pronunciation_dictionary_locators: [one] });
    client.send({ text: 'x.', context_id: 'default' }, { context_id: 'default', flush: true });
    await client.until(({ audio }) => Boolean(audio));
    client.send({ text: ' ', context_id: 'own', pronunciation_dictionary_locators: [two] });
    client.send({ text: 'x.', context_id: 'own' }, { close_socket: true });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toBe('one.two.');
  });

  verifies('dict:order', 'apply in the order of the request', async () => {
    const one = await dictionary(alias('x', 'one'));
    const two = await dictionary(alias('x', 'two'), alias('y', 'why'));
    const client = await connectWithKey('stream-input');
    client.send({ text: ' ', pronunciation_dictionary_locators: [one, two, one] });
    client.send({ text: 'x and y.' }, { text: '' });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(spoken()).toBe('one and why.');
  });

  verifies('dict:at-most-three', 'are at most three', async () => {
    const locator = await dictionary(alias('x', 'one'));
    const client = await connectWithKey('stream-input');
    client.send({ text: ' ', pronunciation_dictionary_locators: Array(4).fill(locator) });
    expect((await client.closed).code).toBe(1008);
    expect(client.frames.at(-1)).toMatchObject({
      error: 'invalid_input_message',
      param: 'pronunciation_dictionary_locators',
    });
  });

  verifies('dict:unknown', 'that do not exist are refused, in their context', async () => {
    const client = await connectWithKey('multi-stream-input');
    const unknown = { pronunciation_dictionary_id: 'nobody' };
    client.send({ text: ' ', context_id: 'a', pronunciation_dictionary_locators: [unknown] });
    client.send({ text: 'Hello.', context_id: 'a', flush: true });
    expect((await client.closed).code).toBe(1008);
    expect(client.frames).toEqual([
      expect.objectContaining({ error: 'not_found', contextId: 'a' }),
    ]);
    expect(await account.usedCharacters()).toBe(0);
  });
});

describe('characters', () => {
  const TEXT = 'Nine words and a number, 42, are spoken here. And two more.';

  for (const path of ['stream-input', 'stream-input?auto_mode=true&sync_alignment=true']) {
    verifies('quota:once', `are charged once (${path})`, async () => {
      const client = await connectWithKey(path);
      for (const word of TEXT.split(/(?<= )/)) client.send({ text: word });
      client.send({ text: '', flush: true }, { text: ' ' }, { text: '' });
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
      expect(written(client).replace(/\s+/g, ' ').trim()).toBe(TEXT);
      expect(await account.usedCharacters()).toBe(TEXT.length);
    });
  }

  verifies('quota:unspoken', 'that nobody heard are not charged', async () => {
    const client = await connectWithKey('multi-stream-input');
    server.engine.hold();
    client.send({ text: 'This is held back.', context_id: 'a', flush: true });
    client.send({ text: 'This waits behind it.', context_id: 'a', flush: true });
    await expect.poll(() => server.engine.liveJobs).toBe(1);
    expect(await account.usedCharacters()).toBe('This is held back.'.length);
    client.send({ context_id: 'a', close_context: true }, { context_id: 'a', close_context: true });
    await client.until(hasEnded('a'));
    server.engine.release();
    await expect.poll(() => account.usedCharacters()).toBe(0);
    expect(spoken()).toBe('');
    client.send({ text: 'ab%.', context_id: 'b', flush: true });
    expect((await client.closed).code).toBe(1011);
    await expect.poll(() => account.usedCharacters()).toBe(0);
  });

  verifies('quota:unspoken', 'of a chunk that was heard in part are charged', async () => {
    const text = `${'word '.repeat(15)}end.`;
    const client = await connectWithKey('multi-stream-input');
    client.send({ text, context_id: 'a', flush: true });
    await client.until(({ audio }) => Boolean(audio));
    server.engine.hold();
    client.send({ context_id: 'a', close_context: true }, { context_id: 'a', close_context: true });
    await client.until(hasEnded('a'));
    server.engine.release();
    await expect.poll(() => account.usedCharacters()).toBe(text.length);
  });

  verifies('quota:spent', 'that are spent are refused, by name', async () => {
    const client = await connectWithKey('multi-stream-input');
    const sentence = `${'x'.repeat(59)}.`;
    client.send({ text: sentence, context_id: 'a', flush: true });
    await expect.poll(() => account.usedCharacters()).toBe(60);
    client.send({ text: sentence, context_id: 'b', flush: true });
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(client.frames.at(-1)).toMatchObject({
      error: 'quota_exceeded',
      code: 1008,
      contextId: 'b',
      context_id: 'b',
      message: expect.stringContaining("40 of the account's 100"),
    });
    expect(client.frames.some(({ contextId, audio }) => contextId === 'b' && audio)).toBe(false);
    expect(await account.usedCharacters()).toBe(60);
  });
});
