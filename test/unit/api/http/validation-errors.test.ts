import { describe, expect, it } from 'vitest';
import { CONFIGURED_SECRET, openApi } from '../resources/api-harness.ts';

const headers = { 'xi-api-key': CONFIGURED_SECRET };

async function post(url: string, payload: object | string) {
  const { app } = await openApi();
  return app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

describe('what a 422 shows of the input', () => {
  it.each([
    ['a long text', { name: 'x'.repeat(60_000) }],
    ['a long list', { notes: Array.from({ length: 9_000 }, () => 'n') }],
    ['many fields', Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))],
    ['a long name', { ['n'.repeat(60_000)]: 1 }],
  ])('is short, whatever was sent: %s', async (_what, body) => {
    const reply = await post('/v1/workspace/api-keys', body);
    expect(reply.statusCode).toBe(422);
    expect(reply.body.length).toBeLessThan(1_000);
  });

  it('is shallow, however deep it was', async () => {
    const deep = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`;
    const reply = await post('/v1/workspace/api-keys', deep);
    expect(reply.json().detail).toEqual([
      {
        type: 'missing',
        loc: ['body', 'name'],
        msg: 'Field required',
        input: { a: { a: { a: { a: '…' } } } },
      },
    ]);
  });
});

describe('a body that is too large', () => {
  it.each([
    ['/v1/workspace/api-keys', 64 * 1024, '64 KiB'],
    ['/v1/pronunciation-dictionaries/add-from-rules', 2 ** 20, '1 MiB'],
  ])('to %s is told the limit of that route', async (url, limitBytes, shown) => {
    const reply = await post(url, { name: 'x'.repeat(limitBytes) });
    expect(reply.statusCode).toBe(413);
    expect(reply.json().detail).toMatchObject({
      code: 'message_too_big',
      message: `The request body is larger than ${shown}. Send less.`,
    });
  });
});
