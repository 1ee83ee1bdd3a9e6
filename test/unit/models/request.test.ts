import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../models/setup/network.mjs';
import { get, getJson, HttpStatusError } from '../../../models/setup/request.mjs';
import { serve, serveProxy } from './local-server.ts';
import { selfSigned } from './self-signed.ts';
import { temporaryFolder } from './temporary-folder.ts';

const json = (value: unknown) => (_: unknown, response: import('node:http').ServerResponse) =>
  response.end(JSON.stringify(value));

function network(settings: Record<string, string>, environment: Record<string, string> = {}) {
  return networkOf(new Map(Object.entries(settings)), environment);
}

describe('get', () => {
  it('follows redirects, and keeps credentials from the host it is sent to', async () => {
    await using target = await serve(json({ found: true }));
    await using registry = await serve((_, response) =>
      response.writeHead(302, { location: `${target.origin}/there` }).end(),
    );
    const host = new URL(registry.origin).host;
    const settings = { [`//${host}/:_authToken`]: 'secret' };
    const found = await getJson(new URL('/x', registry.origin), network(settings));
    expect(found).toEqual({ found: true });
    expect(registry.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(target.requests[0]?.headers.authorization).toBeUndefined();
    expect(target.requests[0]?.url).toBe('/there');
  });

  it('gives up on a circle of redirects', async () => {
    await using server = await serve((_, response) =>
      response.writeHead(301, { location: '/' }).end(),
    );
    await expect(get(new URL(server.origin), {}, network({}))).rejects.toThrow('circle');
  });

  it('turns other statuses into an error with the status', async () => {
    await using server = await serve((_, response) => response.writeHead(401).end());
    const error = await get(new URL(server.origin), {}, network({})).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(HttpStatusError);
    expect((error as HttpStatusError).message).toContain('answered 401 Unauthorized');
  });

  it('breaks off a connection on which nothing comes', async () => {
    await using server = await serve((_, response) => response.writeHead(200).write('{'));
    const impatient = { ...network({}), tls: {}, stallMs: 50 };
    await expect(getJson(new URL(server.origin), impatient)).rejects.toThrow('no data for 0.05 s');
  });
});

describe('get through a proxy', () => {
  it('tunnels https with CONNECT, and trusts the certificates that npm names', async () => {
    await using folder = await temporaryFolder();
    const identity = selfSigned();
    const cafile = path.join(folder.path, 'ca.pem');
    await writeFile(cafile, identity.cert);
    await using server = await serve(json({ secure: true }), identity);
    await using proxy = await serveProxy();
    const through = proxy.origin.replace('http://', 'http://user:p%40ss@');
    const found = await getJson(
      new URL(server.origin),
      network({ 'https-proxy': through, cafile }),
    );
    expect(found).toEqual({ secure: true });
    expect(proxy.targets).toEqual([new URL(server.origin).host]);
    const credentials = Buffer.from('user:p@ss').toString('base64');
    expect(proxy.requests[0]?.headers['proxy-authorization']).toBe(`Basic ${credentials}`);
  });

  it('refuses an unknown certificate unless strict-ssl is off', async () => {
    await using server = await serve(json(1), selfSigned());
    const url = new URL(server.origin);
    await expect(getJson(url, network({}))).rejects.toThrow(/self.signed/);
    expect(await getJson(url, network({ 'strict-ssl': 'false' }))).toBe(1);
  });

  it('relays http, and goes direct where noproxy says so', async () => {
    await using server = await serve(json('ok'));
    await using proxy = await serveProxy();
    const url = new URL('/x', server.origin);
    expect(await getJson(url, network({}, { http_proxy: proxy.origin }))).toBe('ok');
    expect(proxy.targets).toEqual([url.href]);
    const direct = network({ noproxy: '127.0.0.1' }, { http_proxy: proxy.origin });
    expect(await getJson(url, direct)).toBe('ok');
    expect(proxy.targets).toHaveLength(1);
  });

  it('names the proxy when it refuses the tunnel or is not there', async () => {
    const url = new URL('https://hub.test/');
    await using proxy = await serve((_, response) => response.end());
    const refused = network({ proxy: proxy.origin });
    // A server without a CONNECT handler hangs up.
    await expect(getJson(url, refused)).rejects.toThrow(
      /the proxy 127\.0\.0\.1:\d+ cannot be reached/,
    );
    const absent = network({ proxy: 'http://127.0.0.1:1' });
    await expect(getJson(url, absent)).rejects.toThrow('the proxy 127.0.0.1:1 cannot be reached');
  });

  it('names the setting when the certificate file cannot be read', async () => {
    const broken = network({ cafile: '/nowhere/ca.pem' });
    await expect(getJson(new URL('https://hub.test/'), broken)).rejects.toThrow('"cafile" setting');
  });
});
