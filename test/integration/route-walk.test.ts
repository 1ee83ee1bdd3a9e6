import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Access, KeyAccess } from '../../src/api/identity/access.ts';
import type { App } from '../../src/app.ts';
import { SCOPES } from '../../src/domain/account.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';

/** A route of the running server, with parameters that lead somewhere. */
interface WalkedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Access | undefined;
  readonly isSocket: boolean;
}

const PARAMETERS: Readonly<Record<string, string>> = { line: 'default', carrier: 'twilio' };
/** What lets a carrier's stream say who it is; other websockets do not understand it. */
const START = JSON.stringify({
  event: 'start',
  streamSid: 'MZ1',
  start: {
    callSid: 'CA1',
    streamSid: 'MZ1',
    customParameters: {},
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
});
const REFUSED: readonly number[] = [401, 404];
const routes: WalkedRoute[] = [];
let app: App;

beforeAll(async () => {
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', note);
  };
  subscribe('fastify.initialization', collect);
  app = await startRealServer({
    SIDETONE_WORKERS: '1',
    SIDETONE_METRICS: 'key',
    SIDETONE_RATE_LIMIT_KEYLESS: '100000',
  });
  unsubscribe('fastify.initialization', collect);
});
afterAll(() => app.close());

function note({ method, url, schema, ...route }: RouteOptions): void {
  const path = url.replace(/:(\w+)/g, (_all, name: string) => PARAMETERS[name] ?? 'x');
  const isSocket = 'wsHandler' in route;
  for (const name of [method].flat()) {
    if (name !== 'HEAD') routes.push({ method: name, path, access: schema?.access, isSocket });
  }
}

const keyed = () =>
  routes.flatMap((route) =>
    typeof route.access === 'object' ? [{ ...route, access: route.access }] : [],
  );

/** Made anew for each scope that is missing. */
async function keyWithout({ scope }: KeyAccess): Promise<string> {
  const response = await fetch(`${app.url}/v1/workspace/api-keys`, {
    method: 'POST',
    headers: { 'xi-api-key': REAL_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x', scopes: SCOPES.filter((other) => other !== scope) }),
  });
  return ((await response.json()) as { api_key: string }).api_key;
}

async function answerTo({ method, path }: WalkedRoute, headers: Record<string, string>) {
  const response = await fetch(app.url + path, { method, headers });
  const body = (await response.json().catch(() => undefined)) as
    | {
        detail?: { status?: string };
        error?: { code?: string };
        err_code?: string;
        error_code?: string;
      }
    | undefined;
  const code = body?.detail?.status ?? body?.error?.code ?? body?.err_code ?? body?.error_code;
  return { status: response.status, code };
}

/** How a websocket ends: refused with a status, or closed with a code and a reason. */
async function endOf({ path }: WalkedRoute, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(app.url.replace('http', 'ws') + path, { headers });
  socket.on('open', () => socket.send(path.includes('/lines/') ? START : '{"flush":true}'));
  const closed = once(socket, 'close').then(([code, reason]) => `${code} ${reason}`);
  const refused = once(socket, 'unexpected-response').then(([, reply]) => `${reply.statusCode}`);
  const end = await Promise.race([closed, refused]);
  socket.terminate();
  return end;
}

describe('every route', () => {
  it('says who may call it', () => {
    expect(routes.length).toBeGreaterThan(60);
    expect(routes.filter(({ access }) => access === undefined)).toEqual([]);
    const open = routes.filter(({ access }) => typeof access === 'string');
    expect(open.map(({ path }) => path).sort()).toEqual(
      [
        '/asyncapi.json',
        '/docs',
        '/docs/x',
        '/health',
        '/openapi.json',
        '/v1/voices/settings/default',
      ].sort(),
    );
  });

  it.each([
    ['without a key', {}],
    ['with a wrong key', { 'xi-api-key': 'wrong-key-1' }],
  ])('refuses whoever comes %s', { timeout: 120_000 }, async (_how, headers) => {
    for (const route of keyed()) {
      const { status } = await answerTo(route, headers);
      const name = `${route.method} ${route.path}`;
      const mayComeWithout = route.access.key === 'optional' && Object.keys(headers).length === 0;
      if (mayComeWithout) expect([200, 404], name).toContain(status);
      // What a websocket is, is no secret.
      else if (route.isSocket && status === 426) expect(route.access.key, name).toBe('later');
      else expect(REFUSED, `${name} ${status}`).toContain(status);
    }
  });

  it('refuses a key that lacks its scope', { timeout: 120_000 }, async () => {
    for (const route of keyed()) {
      const headers = { 'xi-api-key': await keyWithout(route.access) };
      const { status, code } = await answerTo(route, headers);
      if (route.isSocket && status === 426) continue;
      const name = `${route.method} ${route.path} ${status}`;
      expect(['missing_permissions', 'INSUFFICIENT_PERMISSIONS'], name).toContain(code);
    }
  });
});

describe('every upgrade', () => {
  const sockets = () => keyed().filter(({ isSocket }) => isSocket);

  it('ends without a key, with a wrong one, and with one that lacks the scope', async () => {
    expect(sockets().length).toBe(10);
    for (const route of sockets()) {
      const lacking = await keyWithout(route.access);
      for (const headers of [{}, { 'xi-api-key': 'wrong-key-1' }, { 'xi-api-key': lacking }]) {
        expect(await endOf(route, headers), route.path).toMatch(
          /^(401|403|1008 .*(key|scope).*)$/is,
        );
      }
    }
  }, 120_000);
});
