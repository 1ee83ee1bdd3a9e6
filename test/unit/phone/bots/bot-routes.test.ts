import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../../../src/api/websocket/bounded-socket.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import type { BotServices } from '../../../../src/phone/bots/bot-routes.ts';
import { BotClient } from '../../../support/bot-client.ts';
import { callRecord, RegistryOfCalls } from '../../../support/registry-of-calls.ts';
import { type BotServer, startBotServer } from './bot-server.ts';

let callRegistry: RegistryOfCalls;
let server: BotServer;
const logLines: string[] = [];

async function start(options: Partial<BotServices> = {}): Promise<void> {
  logLines.length = 0;
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  server = await startBotServer(callRegistry, options, logger);
}

beforeEach(async () => {
  callRegistry = new RegistryOfCalls();
  await start();
});
afterEach(() => server[Symbol.asyncDispose]());

const blueCall = (callId = 'call-1') => callRecord({ callId, accountId: 'blue' });
const connect = (
  path: string,
  headers: Readonly<Record<string, string>> = { 'xi-api-key': 'sk_blue' },
) => new BotClient(`${server.url}${path}`, headers);

/** A bot that has taken a call, from both of its ends. */
async function attach(query = '', callId = 'call-1') {
  callRegistry.add(blueCall(callId));
  const client = connect(`/v1/calls/${callId}${query}`);
  const attached = await callRegistry.until(() => callRegistry.attached.get(callId));
  await client.next('call_start');
  return { client, ...attached, attached };
}

describe('the door of a call', () => {
  it.each([
    ['the xi-api-key header', '', { 'xi-api-key': 'sk_blue' }],
    ['the Authorization header', '', { authorization: 'Bearer sk_blue' }],
    ['the query', '?xi-api-key=sk_blue', {}],
    ['the other query', '?authorization=Bearer%20sk_blue', {}],
    ['a token', '?single_use_token=token_blue', {}],
  ])('opens for a key in %s', async (_place, query, headers) => {
    callRegistry.add(blueCall());
    const client = connect(`/v1/calls/call-1${query}`, headers as Record<string, string>);
    expect(await client.next('call_start')).toMatchObject({
      call_id: 'call-1',
      carrier: 'twilio',
      audio_format: 'ulaw_8000',
      parameters: { campaign: 'spring' },
    });
    expect(logLines.join()).not.toContain('sk_blue');
  });

  it.each([
    ['no key', 'call-1', {}, 'authentication_required', 1008],
    ['a wrong key', 'call-1', { 'xi-api-key': 'sk_wrong' }, 'invalid_api_key', 1008],
    ['no such call', 'call-9', { 'xi-api-key': 'sk_blue' }, 'not_found', 1008],
    ["another account's call", 'call-1', { 'xi-api-key': 'sk_red' }, 'not_found', 1008],
  ])('stays shut with %s', async (_what, callId, headers, error, code) => {
    callRegistry.add(blueCall());
    const client = connect(`/v1/calls/${callId}`, headers as Record<string, string>);
    expect(await client.next('error')).toMatchObject({ error, code });
    expect(await client.closed).toMatchObject({ code });
    expect(callRegistry.attached.size).toBe(0);
  });

  it.each([
    ['', { 'xi-api-key': 'sk_blue' }, true],
    ['?single_use_token=token_transfer', {}, true],
    ['?single_use_token=token_blue', {}, false],
  ])('lets callers be passed on by those who may (%s)', async (query, headers, mayTransfer) => {
    callRegistry.add(blueCall());
    const client = connect(`/v1/calls/call-1${query}`, headers as Record<string, string>);
    await client.opened();
    client.send({ type: 'transfer', to: '+12025550177' }, { type: 'clear' });
    const { commands } = await callRegistry.until(() => {
      const attached = callRegistry.attached.get('call-1');
      return attached?.commands.at(-1)?.type === 'clear' && attached;
    });
    expect(commands.some(({ type }) => type === 'transfer')).toBe(mayTransfer);
    if (!mayTransfer) {
      expect(await client.next('refusal')).toMatchObject({ error: 'missing_permissions' });
    }
  });

  it('lets one bot in only', async () => {
    await attach();
    const late = connect('/v1/calls/call-1');
    expect(await late.next('error')).toMatchObject({ error: 'call_taken' });
    expect(await late.closed).toMatchObject({ code: 1008 });
  });

  it('says that it is one of websockets', async () => {
    const reply = await fetch(`${server.url.replace('ws', 'http')}/v1/calls/call-1`);
    expect(reply.status).toBe(426);
    expect(reply.headers.get('upgrade')).toBe('websocket');
    expect(await reply.json()).toMatchObject({ detail: { code: 'upgrade_required' } });
  });
});

describe('a bot on a call', () => {
  it('is heard in the order in which it spoke, from its first message on', async () => {
    callRegistry.add(blueCall());
    const client = connect('/v1/calls/call-1');
    await client.opened();
    // Before it can know that it has the call.
    client.send({ text: 'Hello ', context_id: 'a' }, { type: 'mark', name: 'm' });
    client.send(Buffer.from([1, 2, 3]), { type: 'clear' });
    const { commands } = await callRegistry.until(() => {
      const attached = callRegistry.attached.get('call-1');
      return attached && attached.commands.length === 4 && attached;
    });
    expect(commands).toEqual([
      { type: 'text', contextId: 'a', text: 'Hello ', trigger: false },
      { type: 'mark', name: 'm' },
      { type: 'audio', audio: Buffer.from([1, 2, 3]) },
      { type: 'clear' },
    ]);
  });

  it('hears what happens', async () => {
    const { client, bot } = await attach();
    bot.tell({ type: 'dtmf', digit: '5' });
    bot.tell({ type: 'caller-audio', audio: Uint8Array.of(255, 127) });
    expect(await client.next('audio')).toEqual({ type: 'audio', audio: '/38=' });
    expect(client.events.map(({ type }) => type)).toEqual(['call_start', 'dtmf', 'audio']);
  });

  it('hears the caller in binary messages, if its address says so', async () => {
    const { client, bot } = await attach('?audio=binary');
    bot.tell({ type: 'caller-audio', audio: Uint8Array.of(255, 127) });
    expect(await client.nextBinary()).toEqual(Buffer.of(255, 127));
  });

  it('is told what the call refuses, and goes on', async () => {
    const { client, commands } = await attach();
    callRegistry.refusal = new SpeechError('quota_exceeded', 'Spent.');
    client.send({ text: 'Hello ', context_id: 'a' });
    expect(await client.next('refusal')).toEqual({
      type: 'refusal',
      error: 'quota_exceeded',
      message: 'Spent.',
      context_id: 'a',
    });
    client.send({ type: 'clear' });
    await callRegistry.until(() => commands.length === 1);
  });

  it('is let go when the call ends', async () => {
    const { client, bot } = await attach();
    bot.tell({ type: 'call-end', reason: 'hangup', durationMs: 1234.5 });
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
    expect(client.events.at(-1)).toEqual({ type: 'call_end', reason: 'hangup', duration_ms: 1235 });
    expect(server.connections.count).toBe(0);
  });

  it('gives the call back when it vanishes', async () => {
    const { client, attached } = await attach();
    client.socket.terminate();
    await callRegistry.until(() => attached.isReleased);
    expect(server.connections.count).toBe(0);
  });

  it.each([
    ['no JSON', 'hello', 'invalid_input_message', 1008],
    ['an unknown command', '{"type":"shout"}', 'invalid_input_message', 1008],
    ['a field of the wrong type', '{"text":5}', 'invalid_input_message', 1008],
    ['a long text', `"${'x'.repeat(MAX_MESSAGE_BYTES)}"`, 'message_too_big', 1009],
    ['a lot of audio', Buffer.alloc(MAX_MESSAGE_BYTES + 1), 'message_too_big', 1009],
  ])('is sent away for %s, and loses the call', async (_what, message, error, code) => {
    const { client, attached } = await attach();
    client.send(message);
    expect(await client.next('error')).toMatchObject({ error, code });
    expect(await client.closed).toMatchObject({ code });
    await callRegistry.until(() => attached.isReleased);
    expect(attached.commands).toEqual([]);
  });

  it('is cut when it stops reading', async () => {
    await server[Symbol.asyncDispose]();
    await start({ writeDeadlineMs: 50 });
    const { client, bot, attached } = await attach();
    client.socket.pause();
    const aSecond = new Uint8Array(64_000);
    // What the system and both sockets buffer comes first, then the high mark, then the deadline.
    while (!attached.isReleased) {
      bot.tell({ type: 'caller-audio', audio: aSecond });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(logLines.join()).toContain('client_too_slow');
    client.socket.terminate();
  });

  it('loses the call when its key is revoked', async () => {
    await server[Symbol.asyncDispose]();
    await start({ confirmIntervalMs: 5 });
    const { client, attached } = await attach();
    server.revoked.add('sk_blue');
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(attached.isReleased).toBe(true);
  });

  it('is logged without what was said', async () => {
    const { client, bot } = await attach();
    client.send({ text: 'a secret word', context_id: 'a' });
    bot.tell({ type: 'dtmf', digit: '7' });
    await client.next('dtmf');
    client.socket.close();
    await client.closed;
    await callRegistry.until(() => callRegistry.attached.get('call-1')?.isReleased);
    expect(logLines.join()).toContain('bot left');
    expect(logLines.join()).not.toMatch(/secret word|"7"|\+1555/);
  });
});

describe('the lobby', () => {
  it("tells of the account's calls that wait, that come and that go", async () => {
    callRegistry.add(blueCall('before'));
    callRegistry.add(callRecord({ callId: 'foreign', accountId: 'red' }));
    const client = connect('/v1/calls');
    expect(await client.next('call_waiting')).toMatchObject({ call_id: 'before' });
    callRegistry.add(blueCall('after'));
    callRegistry.add(callRecord({ callId: 'foreign-too', accountId: 'red' }));
    callRegistry.remove('before');
    expect(await client.next('call_gone')).toEqual({ type: 'call_gone', call_id: 'before' });
    expect(client.events.map(({ type, call_id }) => [type, call_id])).toEqual([
      ['call_waiting', 'before'],
      ['call_waiting', 'after'],
      ['call_gone', 'before'],
    ]);
  });

  it('leads to a call', async () => {
    const lobby = connect('/v1/calls');
    await callRegistry.until(() => callRegistry.watchers === 1);
    callRegistry.add(blueCall());
    const { call_id } = await lobby.next('call_waiting');
    const bot = connect(`/v1/calls/${String(call_id)}`);
    await bot.next('call_start');
    await lobby.next('call_gone');
  });

  it('ends its watch with its connection', async () => {
    callRegistry.add(blueCall());
    const client = connect('/v1/calls');
    await client.next('call_waiting');
    client.socket.terminate();
    await callRegistry.until(() => callRegistry.watchers === 0);
  });

  it.each([
    ['no key', {}, 'authentication_required'],
    ['a wrong key', { 'xi-api-key': 'sk_wrong' }, 'invalid_api_key'],
  ])('stays shut with %s', async (_what, headers, error) => {
    const client = connect('/v1/calls', headers as Record<string, string>);
    expect(await client.next('error')).toMatchObject({ error, code: 1008 });
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(callRegistry.watchers).toBe(0);
  });

  it('is no place to speak', async () => {
    callRegistry.add(blueCall());
    const client = connect('/v1/calls');
    await client.next('call_waiting');
    client.send({ type: 'keep_alive' }, { text: 'Hello.' });
    expect(await client.next('error')).toMatchObject({ error: 'invalid_input_message' });
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  it('closes when its key is revoked', async () => {
    await server[Symbol.asyncDispose]();
    await start({ confirmIntervalMs: 5 });
    callRegistry.add(blueCall());
    const client = connect('/v1/calls');
    await client.next('call_waiting');
    server.revoked.add('sk_blue');
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  it('is a list too', async () => {
    callRegistry.add(blueCall());
    callRegistry.add(callRecord({ callId: 'foreign', accountId: 'red' }));
    const list = (headers: Record<string, string>) =>
      fetch(`${server.url.replace('ws', 'http')}/v1/calls`, { headers });
    const reply = await list({ 'xi-api-key': 'sk_blue' });
    expect(await reply.json()).toEqual({
      calls: [expect.objectContaining({ call_id: 'call-1', parameters: { campaign: 'spring' } })],
    });
    expect((await list({})).status).toBe(401);
  });

  it('closes for a shutdown', async () => {
    callRegistry.add(blueCall());
    const client = connect('/v1/calls');
    await client.next('call_waiting');
    await server.connections.drain(0);
    expect(await client.closed).toMatchObject({ code: 1001 });
  });
});
