import { describe, expect, it } from 'vitest';
import { USAGE_LABELS } from '../../../support/usage-labels.ts';
import { NOW, openAccountsApi, PROXY } from './accounts-harness.ts';

const PATH = '/v1/workspace/api-keys';

type Api = Awaited<ReturnType<typeof openAccountsApi>>;

async function makeKey({ call }: Api, body: object = {}) {
  const reply = await call('POST', PATH, { name: 'bot', ...body });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

describe('the limits of a key', () => {
  it('are chosen at its making, shown and changed', async () => {
    const api = await openAccountsApi();
    const limits = {
      scopes: ['text_to_speech', 'user_read'],
      character_limit: 500,
      allowed_ips: ['127.0.0.1', '2001:db8::/32'],
    };
    const { api_key, ...made } = await makeKey(api, limits);
    expect(made).toEqual({
      api_key_id: expect.any(String),
      name: 'bot',
      last_four: api_key.slice(-4),
      created_at_unix: NOW / 1000,
      character_count: 0,
      ...limits,
    });
    const listed = (await api.call('GET', PATH)).json().api_keys;
    expect(listed[1]).toEqual(made);
    expect(listed[0]).toMatchObject({ api_key_id: 'configured', scopes: null, allowed_ips: null });
    const url = `${PATH}/${made.api_key_id}`;
    const changes = { name: 'new', scopes: null, character_limit: null, allowed_ips: ['::1'] };
    expect((await api.call('PATCH', url, changes)).json()).toEqual({ ...made, ...changes });
    expect((await api.call('PATCH', url, {})).json()).toEqual({ ...made, ...changes });
  });

  it('include what it has used this month', async () => {
    const api = await openAccountsApi();
    const { api_key_id } = await makeKey(api, { character_limit: 500 });
    const caller = { accountId: 'default', keyId: api_key_id };
    await (await api.quota.reserve(caller, 120, USAGE_LABELS)).settle(100);
    const { api_keys } = (await api.call('GET', PATH)).json();
    expect(api_keys[1]).toMatchObject({ character_count: 100, character_limit: 500 });
    await expect(api.quota.reserve(caller, 401, USAGE_LABELS)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
  });

  it('hold for scopes: what they do not name is refused', async () => {
    const api = await openAccountsApi();
    const { api_key: key } = await makeKey(api, { scopes: ['user_read'] });
    expect((await api.call('GET', '/v1/user', undefined, { key })).statusCode).toBe(200);
    const refused = await api.call('GET', PATH, undefined, { key });
    expect(refused.statusCode).toBe(401);
    expect(refused.json().detail).toMatchObject({
      status: 'missing_permissions',
      message: expect.stringContaining('workspace_read'),
    });
  });

  it('hold for addresses: 403 from elsewhere, proxies read only when trusted', async () => {
    const api = await openAccountsApi();
    const { api_key: key } = await makeKey(api, { allowed_ips: ['203.0.113.0/24'] });
    const from = (remoteAddress: string, forwardedFor?: string) =>
      api.call('GET', '/v1/user', undefined, {
        key,
        remoteAddress,
        ...(forwardedFor && { headers: { 'x-forwarded-for': forwardedFor } }),
      });
    expect((await from('203.0.113.9')).statusCode).toBe(200);
    expect((await from('::ffff:203.0.113.9')).statusCode).toBe(200);
    expect((await from(PROXY, '203.0.113.9')).statusCode).toBe(200);
    for (const refused of [
      await from('198.51.100.1'),
      await from('198.51.100.1', '203.0.113.9'),
      await from(PROXY, '203.0.113.9, 198.51.100.1'),
    ]) {
      expect(refused.statusCode).toBe(403);
      expect(refused.json().detail).toMatchObject({
        type: 'authorization_error',
        message: expect.stringContaining('198.51.100.1'),
      });
    }
  });

  it.each([
    [{ scopes: ['everything'] }, ['body', 'scopes', 0]],
    [{ scopes: [] }, ['body', 'scopes']],
    [{ character_limit: -1 }, ['body', 'character_limit']],
    [{ allowed_ips: [] }, ['body', 'allowed_ips']],
    [{ allowed_ips: ['::1', '10.0.0.0/33'] }, ['body', 'allowed_ips', 1]],
    [{ allowed_ips: ['example.com'] }, ['body', 'allowed_ips', 0]],
  ])('are refused as %j', async (limits, loc) => {
    const { call } = await openAccountsApi();
    for (const [method, url] of [
      ['POST', PATH],
      ['PATCH', `${PATH}/some`],
    ] as const) {
      const reply = await call(method, url, { name: 'x', ...limits });
      expect(reply.statusCode).toBe(422);
      expect(reply.json().detail).toEqual([
        { type: expect.any(String), loc, msg: expect.any(String), input: expect.anything() },
      ]);
    }
  });

  it('cannot be widened with a key that has less', async () => {
    const api = await openAccountsApi();
    const scopes = ['workspace_read', 'workspace_write'];
    const { api_key: key, api_key_id: own } = await makeKey(api, { scopes });
    const { api_key_id: other } = await makeKey(api);
    const refused = await Promise.all([
      api.call('POST', PATH, { name: 'x' }, { key }),
      api.call('POST', PATH, { name: 'x', scopes: ['text_to_speech'] }, { key }),
      api.call('PATCH', `${PATH}/${own}`, { scopes: null }, { key }),
      api.call('PATCH', `${PATH}/${other}`, { name: 'x' }, { key }),
      api.call('POST', `${PATH}/${other}/rotate`, undefined, { key }),
    ]);
    for (const reply of refused) {
      expect(reply.statusCode).toBe(401);
      expect(reply.json().detail).toMatchObject({ status: 'missing_permissions', param: 'scopes' });
    }
    const equal = await api.call('POST', PATH, { name: 'x', scopes }, { key });
    expect(equal.statusCode).toBe(200);
  });
});

describe('a rotated key', () => {
  it('has a new secret, shown once, and the old one is invalid at once', async () => {
    const api = await openAccountsApi();
    const { api_key: old, ...made } = await makeKey(api, { character_limit: 9 });
    const rotated = await api.call('POST', `${PATH}/${made.api_key_id}/rotate`);
    const { api_key: key, ...record } = rotated.json();
    expect(rotated.headers['cache-control']).toBe('no-store');
    expect(record).toEqual({ ...made, last_four: key.slice(-4) });
    expect(key).not.toBe(old);
    expect((await api.call('GET', '/v1/user', undefined, { key: old })).statusCode).toBe(401);
    const listed = await api.call('GET', PATH, undefined, { key });
    expect(listed.statusCode).toBe(200);
    expect(listed.body).not.toContain(key);
    expect(api.events).toEqual([expect.objectContaining({ type: 'key.rotated' })]);
    expect(api.logged.join('')).not.toContain(key);
  });

  it('is neither one that there is not, nor the configured one', async () => {
    const { call } = await openAccountsApi();
    expect((await call('POST', `${PATH}/none/rotate`)).statusCode).toBe(404);
    expect((await call('PATCH', `${PATH}/none`, { name: 'x' })).statusCode).toBe(404);
    for (const reply of [
      await call('POST', `${PATH}/configured/rotate`),
      await call('PATCH', `${PATH}/configured`, { name: 'x' }),
    ]) {
      expect(reply.statusCode).toBe(401);
      expect(reply.json().detail.message).toContain('SIDETONE_API_KEY');
    }
  });
});

describe('a key of the original service', () => {
  it('is told apart from a wrong one of ours', async () => {
    const { call } = await openAccountsApi();
    const foreign = `sk_${'0123456789abcdef'.repeat(3)}`;
    const reply = await call('GET', '/v1/user', undefined, { key: foreign });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().detail).toMatchObject({ param: 'api_key' });
    expect((await call('GET', '/v1/user', undefined, { key: 'sk_zz' })).statusCode).toBe(401);
  });
});
