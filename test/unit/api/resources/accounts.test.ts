import { describe, expect, it } from 'vitest';
import { NOW, openAccountsApi } from './accounts-harness.ts';

const PATH = '/v1/workspace/accounts';
const KEYS = '/v1/workspace/api-keys';
const ACME = {
  account_id: 'acme',
  name: 'Acme',
  tier: 'starter',
  character_limit: 30_000,
  concurrency_limit: 3,
  created_at_unix: NOW / 1000,
};

describe('accounts over REST', () => {
  it('are made with the limits of their tier, listed, read and changed', async () => {
    const { call } = await openAccountsApi();
    const body = { account_id: 'acme', name: 'Acme', tier: 'starter' };
    expect((await call('POST', PATH, body)).json()).toEqual(ACME);
    expect((await call('GET', `${PATH}/acme`)).json()).toEqual(ACME);
    const listed = (await call('GET', PATH)).json();
    expect(listed.accounts).toContainEqual(ACME);
    expect(listed.accounts).toContainEqual(
      expect.objectContaining({
        account_id: 'default',
        tier: 'business',
        character_limit: null,
        concurrency_limit: null,
      }),
    );
    const changes = { name: 'Acme Ltd', character_limit: 5, concurrency_limit: null };
    expect((await call('PATCH', `${PATH}/acme`, changes)).json()).toEqual({ ...ACME, ...changes });
    expect((await call('PATCH', `${PATH}/acme`, { tier: 'pro' })).json()).toMatchObject({
      name: 'Acme Ltd',
      tier: 'pro',
      character_limit: 500_000,
      concurrency_limit: 10,
    });
  });

  it('get an id when none is chosen, and no id twice', async () => {
    const { call } = await openAccountsApi();
    const made = (await call('POST', PATH, { name: 'x', tier: 'free' })).json();
    expect(made.account_id).toMatch(/^[0-9a-f-]{36}$/);
    const again = await call('POST', PATH, { ...ACME, account_id: made.account_id });
    expect(again.statusCode).toBe(409);
    expect(again.json().detail).toMatchObject({ status: 'already_exists', param: 'account_id' });
    expect((await call('GET', `${PATH}/${made.account_id}`)).json()).toEqual(made);
  });

  it('are not found when there are none', async () => {
    const { call } = await openAccountsApi();
    expect((await call('GET', `${PATH}/no%2Fsuch`)).statusCode).toBe(404);
    expect((await call('PATCH', `${PATH}/nobody`, { name: 'x' })).statusCode).toBe(404);
  });

  it.each([
    [{ tier: 'free' }, ['body', 'name']],
    [{ name: 'x' }, ['body', 'tier']],
    [{ name: 'x', tier: 'enterprise' }, ['body', 'tier']],
    [{ name: '', tier: 'free' }, ['body', 'name']],
    [{ name: 'x', tier: 'free', character_limit: -1 }, ['body', 'character_limit']],
    [{ name: 'x', tier: 'free', character_limit: 1.5 }, ['body', 'character_limit']],
    [{ name: 'x', tier: 'free', concurrency_limit: 1e9 }, ['body', 'concurrency_limit']],
    [{ name: 'x', tier: 'free', account_id: '../../x' }, ['body', 'account_id']],
  ])('refuse the body %j', async (body, loc) => {
    const { call } = await openAccountsApi();
    const reply = await call('POST', PATH, body);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([expect.objectContaining({ loc })]);
  });

  it('are administered with keys of the default account only', async () => {
    const { call } = await openAccountsApi();
    await call('POST', PATH, ACME);
    const { api_key: key } = (
      await call('POST', `${KEYS}?account_id=acme`, { name: 'theirs' })
    ).json();
    const attempts = [
      call('GET', PATH, undefined, { key }),
      call('GET', `${PATH}/acme`, undefined, { key }),
      call('POST', PATH, { name: 'x', tier: 'free' }, { key }),
      call('PATCH', `${PATH}/acme`, { tier: 'business' }, { key }),
      call('GET', `${KEYS}?account_id=default`, undefined, { key }),
      call('POST', `${KEYS}?account_id=default`, { name: 'x' }, { key }),
      call('DELETE', `${KEYS}/configured?account_id=default`, undefined, { key }),
    ];
    for (const reply of await Promise.all(attempts)) {
      expect(reply.statusCode).toBe(401);
      expect(reply.json().detail.status).toBe('missing_permissions');
    }
    const own = (await call('GET', KEYS, undefined, { key })).json();
    expect(own.api_keys.map(({ name }: { name: string }) => name)).toEqual(['theirs']);
  });
});
