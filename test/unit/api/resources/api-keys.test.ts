import { describe, expect, it } from 'vitest';
import { CONFIGURED_SECRET, openApi } from './api-harness.ts';

const PATH = '/v1/workspace/api-keys';
const headers = { 'xi-api-key': CONFIGURED_SECRET };

async function createKey({ app }: Awaited<ReturnType<typeof openApi>>, name: string) {
  return (await app.inject({ method: 'POST', url: PATH, headers, payload: { name } })).json();
}

describe('API keys over REST', () => {
  it('are made with their secret shown once, and open every route at once', async () => {
    const api = await openApi();
    const created = await createKey(api, 'call centre');
    expect(created).toEqual({
      api_key_id: expect.any(String),
      name: 'call centre',
      last_four: created.api_key.slice(-4),
      created_at_unix: 1_763_700_000,
      scopes: null,
      character_limit: null,
      character_count: 0,
      allowed_ips: null,
      api_key: expect.stringMatching(/^sk_[0-9A-Za-z]{49}$/),
    });
    const withIt = { 'xi-api-key': created.api_key };
    expect((await api.app.inject({ url: '/v1/models', headers: withIt })).statusCode).toBe(200);
    const listed = await api.app.inject({ url: PATH, headers: withIt });
    expect(listed.json().api_keys.map((key: { name: string }) => key.name)).toEqual([
      'SIDETONE_API_KEY',
      'call centre',
    ]);
    expect(listed.body).not.toContain(created.api_key);
    expect(listed.body).not.toContain(CONFIGURED_SECRET);
  });

  it('are useless once revoked', async () => {
    const { app, ...rest } = await openApi();
    const { api_key, api_key_id } = await createKey({ app, ...rest }, 'bot');
    const url = `${PATH}/${api_key_id}`;
    expect((await app.inject({ method: 'DELETE', url, headers })).json()).toEqual({ status: 'ok' });
    const reply = await app.inject({ url: '/v1/models', headers: { 'xi-api-key': api_key } });
    expect(reply.statusCode).toBe(401);
    const again = await app.inject({ method: 'DELETE', url, headers });
    expect(again.statusCode).toBe(404);
    expect(again.json().detail.request_id).toBe(again.headers['x-trace-id']);
  });

  it('are not revoked when the operator configured them', async () => {
    const { app } = await openApi();
    const reply = await app.inject({ method: 'DELETE', url: `${PATH}/configured`, headers });
    expect(reply.statusCode).toBe(401);
    expect(reply.json().detail).toMatchObject({
      status: 'missing_permissions',
      param: 'api_key_id',
      message: expect.stringContaining('SIDETONE_API_KEY'),
    });
  });

  it.each(['GET', 'POST', 'DELETE'] as const)('need a key for %s', async (method) => {
    const { app } = await openApi();
    const url = method === 'DELETE' ? `${PATH}/some` : PATH;
    const payload = method === 'POST' ? { name: 'x' } : undefined;
    const reply = await app.inject({ method, url, ...(payload && { payload }) });
    expect(reply.statusCode).toBe(401);
    expect(reply.json().detail).toMatchObject({
      type: 'authentication_error',
      code: 'unauthorized',
      status: 'needs_authorization',
    });
  });

  it.each([
    [{}, { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} }],
    [{ name: '' }, { type: 'string_too_short', loc: ['body', 'name'], input: '' }],
    [{ name: 'x'.repeat(101) }, { type: 'string_too_long', loc: ['body', 'name'] }],
    [{ name: { a: 1 } }, { type: 'string_type', loc: ['body', 'name'], input: { a: 1 } }],
    [[1], { type: 'dict_type', loc: ['body'], input: [1] }],
  ])('refuse the body %j', async (payload, problem) => {
    const { app } = await openApi();
    const reply = await app.inject({ method: 'POST', url: PATH, headers, payload });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([expect.objectContaining(problem)]);
  });
});

describe('a key on REST', () => {
  it('is refused when wrong, with the name clients know', async () => {
    const { app } = await openApi();
    const reply = await app.inject({ url: '/v1/models', headers: { 'xi-api-key': 'wrong-one' } });
    expect(reply.statusCode).toBe(401);
    expect(reply.json().detail).toMatchObject({
      type: 'authentication_error',
      code: 'unauthorized',
      status: 'invalid_api_key',
      param: 'api_key',
    });
  });
});
