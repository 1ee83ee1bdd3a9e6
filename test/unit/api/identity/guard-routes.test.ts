import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openHttp } from '../../../../src/api/http/open-http.ts';
import { allowOrigins } from '../../../../src/api/identity/allowed-origins.ts';
import { guardRoutes } from '../../../../src/api/identity/guard-routes.ts';
import { RateLimits } from '../../../../src/api/identity/rate-limits.ts';
import { openSockets } from '../../../../src/api/stream/open-sockets.ts';
import type { Caller } from '../../../../src/domain/account.ts';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { hashSecret } from '../../../../src/service/account/api-key.ts';
import { noTokens } from '../../../support/no-tokens.ts';

const CALLER: Caller = {
  accountId: 'acme',
  tier: 'free',
  concurrencyLimit: null,
  keyId: 'key',
  keyHash: hashSecret('right'),
  scopes: 'all',
};
const KEY = { 'xi-api-key': 'right' };

/** A server with a route of each kind of access. */
async function open(perMinute = 6000) {
  const app = openHttp(pino({ level: 'silent' }));
  await openSockets(app);
  allowOrigins(app, ['https://app.example.com']);
  let lookUps = 0;
  guardRoutes(app, {
    authenticate: async (key) => {
      lookUps++;
      if (key === 'right') return CALLER;
      if (key === undefined) throw new SpeechError('authentication_required', 'A key is needed.');
      throw new SpeechError('invalid_api_key', 'Wrong key.');
    },
    redeem: noTokens,
    rateLimits: new RateLimits({ keylessPerMinute: perMinute, keyedPerMinute: perMinute }),
  });
  let bodies = 0;
  app.addHook('preValidation', async ({ body }) => {
    if (body !== undefined) bodies++;
  });
  const scope = 'voices_read' as const;
  app.post('/undeclared', async () => 'in');
  app.post('/key', { schema: { access: { scope } } }, async ({ caller }) => caller.accountId);
  app.get('/optional', { schema: { access: { scope, key: 'optional' } } }, async (request) => ({
    caller: request.knownCaller?.accountId ?? null,
  }));
  app.get('/operator', { schema: { access: { scope, operator: true } } }, async () => 'in');
  app.get('/public', { schema: { access: 'public' } }, async () => 'in');
  app.get('/probe', { schema: { access: 'probe' } }, async () => 'in');
  app.route({
    method: 'GET',
    url: '/socket',
    schema: { access: { scope, door: 'socket', key: 'later' } },
    handler: async () => 'plain',
    wsHandler: (socket, request) => {
      request.identify().then(
        ({ accountId }) => socket.close(1000, accountId),
        (thrown: SpeechError) => socket.close(1008, thrown.code),
      );
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const dial = async (headers: Record<string, string>) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, { headers });
    return Promise.race([
      once(socket, 'close').then(([code, reason]) => `${code} ${reason}`),
      once(socket, 'unexpected-response').then(([, { statusCode, headers }]) =>
        `${statusCode} ${headers['retry-after'] ?? ''}`.trim(),
      ),
    ]);
  };
  return { app, port, dial, counts: () => ({ lookUps, bodies }) };
}

describe('a route', () => {
  it('that declares nothing lets nobody in', async () => {
    const { app } = await open();
    const reply = await app.inject({ method: 'POST', url: '/undeclared', headers: KEY });
    expect(reply.statusCode).toBe(401);
    expect(reply.json().detail).toMatchObject({ status: 'missing_permissions' });
  });

  it('that wants a key refuses before the body is read, and tells handlers who calls', async () => {
    const { app, counts } = await open();
    const post = (headers: object, payload: string) =>
      app.inject({
        method: 'POST',
        url: '/key',
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      });
    for (const headers of [{}, { 'xi-api-key': 'wrong' }, { authorization: 'Bearer wrong' }]) {
      expect((await post(headers, '{"a":')).statusCode).toBe(401);
    }
    expect((await post(KEY, '{"a":')).statusCode).toBe(422);
    expect(counts().bodies).toBe(0);
    expect((await post(KEY, '{}')).body).toBe('acme');
    expect((await post({ authorization: 'Bearer right' }, '{}')).body).toBe('acme');
    expect((await post(KEY, '['.repeat(5000))).json().detail[0]).toMatchObject({
      type: 'json_invalid',
      msg: expect.stringContaining('32 levels'),
    });
  });

  it('may make the key optional, or want one of the operator', async () => {
    const { app } = await open();
    const get = async (url: string, headers = {}) => app.inject({ url, headers });
    expect((await get('/optional', KEY)).json()).toEqual({ caller: 'acme' });
    expect((await get('/optional')).json()).toEqual({ caller: null });
    for (const headers of [{ 'xi-api-key': 'wrong' }, { authorization: 'Bearer wrong' }]) {
      expect((await get('/optional', headers)).json().detail.status).toBe('invalid_api_key');
    }
    expect((await get('/operator', KEY)).json().detail.status).toBe('missing_permissions');
    expect((await get('/operator')).json().detail.status).toBe('needs_authorization');
  });
});

describe('a body without a key', () => {
  it('ends at 64 KiB, and the refusal comes before it', { timeout: 20_000 }, async () => {
    const { port } = await open();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /key HTTP/1.1\r\nhost: a\r\ncontent-length: 100000000\r\n\r\n');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    expect(reply.toString()).toMatch(/^HTTP\/1.1 401 /);
    let sentBytes = 0;
    const pump = setInterval(() => {
      sentBytes += 16_384;
      socket.write(Buffer.alloc(16_384));
    }, 5);
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(pump);
    // The rest of what was sent lies in buffers between the two.
    expect(socket.bytesWritten).toBeLessThan(100_000_000);
    expect(sentBytes).toBeGreaterThan(64 * 1024);
  });

  it('is not read for an address that there is not', async () => {
    const { app, counts } = await open();
    const reply = await app.inject({ method: 'POST', url: '/nowhere', payload: { a: 1 } });
    expect(reply.statusCode).toBe(404);
    expect(counts().bodies).toBe(0);
  });
});

describe('too many requests', () => {
  it('without a valid key are refused with 429 and a time to wait, but health checks', async () => {
    const { app, dial, counts } = await open(12);
    const wrong = () =>
      app.inject({ method: 'POST', url: '/key', headers: { 'xi-api-key': 'no' } });
    expect((await app.inject({ method: 'POST', url: '/key', headers: KEY })).statusCode).toBe(200);
    expect((await wrong()).statusCode).toBe(401);
    expect((await wrong()).statusCode).toBe(401);
    const { lookUps } = counts();
    const refused = await wrong();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json().detail).toMatchObject({
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
    });
    expect((await app.inject('/public')).statusCode).toBe(429);
    expect((await app.inject('/probe')).statusCode).toBe(200);
    expect(await dial({})).toMatch(/^429 \d+$/);
    expect(await dial({ 'xi-api-key': 'no' })).toMatch(/^429 \d+$/);
    expect(counts().lookUps).toBe(lookUps);
    expect((await app.inject({ url: '/optional', headers: KEY })).statusCode).toBe(200);
  });

  it('with one key are refused, upgrades included', async () => {
    const { app, dial } = await open(12);
    expect(await dial(KEY)).toBe('1000 acme');
    expect((await app.inject({ url: '/optional', headers: KEY })).statusCode).toBe(200);
    expect(await dial(KEY)).toMatch(/^429 \d+$/);
  });
});

describe('a websocket', () => {
  it('is opened whatever its key is, and told inside what is wrong', async () => {
    const { dial } = await open();
    expect(await dial({})).toBe('1008 authentication_required');
    expect(await dial({ 'xi-api-key': 'wrong' })).toBe('1008 invalid_api_key');
    expect(await dial({ authorization: 'Bearer right' })).toBe('1000 acme');
  });

  it('of a web page is opened for origins that are allowed', async () => {
    const { dial } = await open();
    expect(await dial({ ...KEY, origin: 'https://app.example.com' })).toBe('1000 acme');
    expect(await dial({ ...KEY, origin: 'https://evil.example' })).toBe('403');
  });
});
