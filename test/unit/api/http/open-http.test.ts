import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { CONFIGURED_SECRET, openApi } from '../resources/api-harness.ts';

describe('every response', () => {
  it('carries its own trace id and opens itself to browsers', async () => {
    const { app } = await openApi();
    const replies = await Promise.all([app.inject('/health'), app.inject('/nowhere')]);
    for (const { headers } of replies) {
      expect(headers['x-trace-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toBe('*');
    }
    expect(replies[0].headers['x-trace-id']).not.toBe(replies[1].headers['x-trace-id']);
  });

  it('lets a browser ask first', async () => {
    const { app } = await openApi();
    const reply = await app.inject({
      method: 'OPTIONS',
      url: '/v1/models',
      headers: {
        origin: 'https://example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'xi-api-key',
      },
    });
    expect(reply.statusCode).toBe(204);
    expect(reply.headers['access-control-allow-headers']).toBe('xi-api-key');
    expect(reply.headers['access-control-allow-methods']).toContain('DELETE');
  });
});

describe('an address', () => {
  it.each(['/v1/models/', '//v1/models', '/v1//models///', '/v1/models/?a=b'])(
    'as %s is the one without needless slashes, keys and all',
    async (url) => {
      const { app } = await openApi();
      expect((await app.inject(url)).statusCode).toBe(404);
      const reply = await app.inject({ url, headers: { 'xi-api-key': CONFIGURED_SECRET } });
      expect(reply.statusCode).toBe(200);
      expect(reply.json().length).toBeGreaterThan(0);
    },
  );
});

describe('a refusal', () => {
  it.each(['/nowhere', '/v1/voices/../keys', '/v1/%zz'])(
    'of %s is a 404 with the request id',
    async (url) => {
      const { app } = await openApi();
      const reply = await app.inject(url);
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toEqual({
        detail: {
          type: 'not_found',
          code: 'not_found',
          status: 'not_found',
          message: expect.stringContaining('GET /'),
          request_id: reply.headers['x-trace-id'],
        },
      });
    },
  );

  it('takes type, status and advice from the error table', async () => {
    const { app } = await openApi();
    app.get('/busy', { schema: { access: 'public' } }, () => {
      throw new SpeechError('system_busy', 'All streams are taken. Try again soon.');
    });
    const reply = await app.inject('/busy');
    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe('1');
    expect(reply.json().detail).toMatchObject({ type: 'rate_limit_error', code: 'system_busy' });
  });

  it('tells a caller nothing about our own failures, but logs them', async () => {
    const { app, logged } = await openApi();
    app.get('/broken', { schema: { access: 'public' } }, () => {
      throw new Error('the disk is on fire');
    });
    const reply = await app.inject('/broken');
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('disk');
    expect(reply.json().detail).toMatchObject({ type: 'internal_error', code: 'internal_error' });
    expect(logged.join('')).toContain('the disk is on fire');
  });

  it.each([
    ['no JSON', '{"name":', 'application/json'],
    ['an empty body', '', 'application/json'],
    ['a form', 'name=x', 'application/x-www-form-urlencoded'],
    ['a poisoned prototype', '{"name":"x","__proto__":{"a":1}}', 'application/json'],
  ])('of %s is a 422 list', async (_case, payload, contentType) => {
    const { app } = await openApi();
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/workspace/api-keys',
      headers: { 'content-type': contentType, 'xi-api-key': CONFIGURED_SECRET },
      payload,
    });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      { type: 'json_invalid', loc: ['body'], msg: expect.any(String), input: {} },
    ]);
  });

  it('of a body over the limit is a 413', async () => {
    const { app } = await openApi();
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/workspace/api-keys',
      headers: { 'xi-api-key': CONFIGURED_SECRET },
      payload: { name: 'x'.repeat(70_000) },
    });
    expect(reply.statusCode).toBe(413);
    expect(reply.json().detail).toMatchObject({
      code: 'message_too_big',
      type: 'validation_error',
    });
  });
});

describe('the log', () => {
  it('has requests, and health checks only when it is asked for everything', async () => {
    const { app, logged } = await openApi();
    app.log.level = 'info';
    await app.inject('/health');
    expect(logged.join('')).not.toContain('/health');
    await app.inject('/v1/voices');
    expect(logged.join('')).toContain('/v1/voices');
  });

  it('has a line a request, and no key wherever the caller put it', async () => {
    const { app, logged } = await openApi();
    const created = await app.inject({
      method: 'POST',
      url: '/v1/workspace/api-keys?xi-api-key=in-the-query-1',
      headers: { 'xi-api-key': CONFIGURED_SECRET, authorization: 'Bearer in-the-header-1' },
      payload: { name: 'bot' },
    });
    expect(created.statusCode).toBe(200);
    await app.inject(`/v1/%zz?authorization=in-the-query-2`);
    await app.inject({ url: '/v1/models', headers: { 'xi-api-key': 'wrong-secret-1' } });
    app.log.info({ req: { method: 'GET', url: '/a?xi-api-key=in-the-query-3' } }, 'of a library');
    app.log.info({ path: '/b?authorization=in-the-query-4', secret: 'named-1' }, 'of a library');
    app.log.info({ headers: { 'xi-api-key': 'in-the-header-2' } }, 'of a library');
    const deep = { options: [{ headers: { Authorization: 'in-the-header-3' } }] };
    app.log.trace({ deep }, 'of a library');
    app.log.error({ err: Object.assign(new Error('broken'), deep) }, 'of a library');
    const text = logged.join('');
    expect(text).toContain('"path":"/v1/workspace/api-keys"');
    expect(text.match(/of a library/g)).toHaveLength(5);
    const secrets = [
      created.json().api_key,
      CONFIGURED_SECRET,
      'in-the-',
      'wrong-secret',
      'named-1',
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
