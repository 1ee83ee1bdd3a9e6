import { describe, expect, it } from 'vitest';
import { TOKEN_PURPOSES } from '../../../../src/domain/account.ts';
import { openAccountsApi } from './accounts-harness.ts';

const PATH = '/v1/single-use-token';

describe('single-use tokens over REST', () => {
  it.each(TOKEN_PURPOSES)('are made for %s and can be redeemed', async (purpose) => {
    const { call, tokens } = await openAccountsApi();
    const reply = await call('POST', `${PATH}/${purpose}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json()).toEqual({ token: expect.stringMatching(/^sutkn_/) });
    expect(await tokens.redeem(reply.json().token, [purpose])).toMatchObject({
      accountId: 'default',
      keyId: 'configured',
    });
  });

  it.each([
    ['application/json', ''],
    ['application/json', '{}'],
    ['application/x-www-form-urlencoded', ''],
    ['text/plain', 'anything'],
  ])('need no body, and are made with one of type %s: "%s"', async (type, payload) => {
    const { call } = await openAccountsApi();
    const reply = await call('POST', `${PATH}/tts_websocket`, undefined, {
      headers: { 'content-type': type },
      payload,
    });
    expect(reply.statusCode).toBe(200);
  });

  it('are of a known type', async () => {
    const { call } = await openAccountsApi();
    const reply = await call('POST', `${PATH}/everything`);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      expect.objectContaining({ loc: ['path', 'token_type'], input: 'everything' }),
    ]);
  });

  it('need a key that may speak, and are in no log', async () => {
    const { call, logged } = await openAccountsApi();
    expect((await call('POST', `${PATH}/tts_websocket`, undefined, { key: 'x' })).statusCode).toBe(
      401,
    );
    const { api_key: key } = (
      await call('POST', '/v1/workspace/api-keys', { name: 'x', scopes: ['user_read'] })
    ).json();
    const refused = await call('POST', `${PATH}/tts_websocket`, undefined, { key });
    expect(refused.json().detail.status).toBe('missing_permissions');
    const { token } = (await call('POST', `${PATH}/tts_websocket`)).json();
    expect(logged.join('')).not.toContain(token);
  });
});
