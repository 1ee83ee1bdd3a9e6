import { describe, expect, it } from 'vitest';
import { openAccountsApi, PROXY } from '../resources/accounts-harness.ts';

const PATH = '/v1/workspace/api-keys';
const WORKSPACE = ['workspace_read', 'workspace_write'];

/** Someone with a key that has restrictions, and what they may do with keys. */
async function open(restrictions: object) {
  const api = await openAccountsApi();
  const make = async (body: object) =>
    (await api.call('POST', PATH, { name: 'x', ...body })).json();
  const own = await make({ scopes: WORKSPACE, ...restrictions });
  const request = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    api.call(method, `${PATH}${path}`, body, { key: own.api_key, remoteAddress: '10.1.2.3' });
  return { ...api, make, own, request };
}

type Reply = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['request']>>;

function expectRefused(replies: readonly Reply[], param: string): void {
  for (const reply of replies) {
    expect(reply.statusCode).toBe(401);
    expect(reply.json().detail).toMatchObject({ status: 'missing_permissions', param });
  }
}

describe('a key with scopes', () => {
  it('revokes none that has more', async () => {
    const { make, request, own } = await open({});
    const strong = await make({});
    expectRefused([await request('DELETE', `/${strong.api_key_id}`)], 'scopes');
    const weak = await make({ scopes: ['workspace_read'] });
    expect((await request('DELETE', `/${weak.api_key_id}`)).statusCode).toBe(200);
    expect((await request('DELETE', `/${own.api_key_id}`)).statusCode).toBe(200);
  });
});

describe('a key with a character limit', () => {
  it('neither lifts it, nor gets round it with another key', async () => {
    const { make, request, own, call } = await open({ character_limit: 100 });
    const same = { scopes: WORKSPACE };
    const small = await make({ ...same, character_limit: 5 });
    const large = await make({ ...same, character_limit: 101 });
    const unlimited = await make(same);
    expectRefused(
      [
        await request('PATCH', `/${own.api_key_id}`, { character_limit: null }),
        await request('PATCH', `/${own.api_key_id}`, { character_limit: 101 }),
        await request('POST', '', { name: 'x', ...same }),
        await request('POST', '', { name: 'x', ...same, character_limit: 100 }),
        await request('PATCH', `/${small.api_key_id}`, { character_limit: 6 }),
        await request('POST', `/${small.api_key_id}/rotate`),
        await request('PATCH', `/${large.api_key_id}`, { name: 'mine' }),
        await request('DELETE', `/${unlimited.api_key_id}`),
        await call(
          'PATCH',
          '/v1/workspace/accounts/default',
          { tier: 'free' },
          { key: own.api_key },
        ),
      ],
      'character_limit',
    );
    const lower = await request('PATCH', `/${small.api_key_id}`, { character_limit: 4 });
    expect(lower.json()).toMatchObject({ character_limit: 4 });
    expect((await request('POST', `/${own.api_key_id}/rotate`)).statusCode).toBe(200);
  });
});

describe('a key with addresses', () => {
  it('makes and administers those within its own', async () => {
    const { make, request, own } = await open({ allowed_ips: ['10.0.0.0/8', '2001:db8::/32'] });
    const anywhere = await make({ scopes: WORKSPACE });
    const body = { name: 'x', scopes: WORKSPACE };
    expectRefused(
      [
        await request('POST', '', body),
        await request('POST', '', { ...body, allowed_ips: ['10.0.0.0/7'] }),
        await request('POST', '', { ...body, allowed_ips: ['10.0.0.1', '11.0.0.1'] }),
        await request('PATCH', `/${own.api_key_id}`, { allowed_ips: null }),
        await request('PATCH', `/${own.api_key_id}`, { allowed_ips: ['::/0'] }),
        await request('POST', `/${anywhere.api_key_id}/rotate`),
        await request('DELETE', `/${anywhere.api_key_id}`),
      ],
      'allowed_ips',
    );
    const within = { ...body, allowed_ips: [PROXY, '10.9.0.0/16', '2001:db8:7::/48'] };
    expect((await request('POST', '', within)).statusCode).toBe(200);
  });
});
