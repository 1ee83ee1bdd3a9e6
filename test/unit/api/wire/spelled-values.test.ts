import { describe, expect, it } from 'vitest';
import { readSpelled } from '../../../../src/api/wire/spelled-values.ts';
import { CONFIGURED_SECRET, openApi } from '../resources/api-harness.ts';

const headers = { 'xi-api-key': CONFIGURED_SECRET };
const KEYS = '/v1/workspace/api-keys';

async function makeKey(payload: object) {
  const { app } = await openApi();
  return app.inject({ method: 'POST', url: KEYS, headers, payload });
}

describe('values that are spelled as text', () => {
  it.each([
    ['5', 5],
    [5, 5],
    [null, null],
    ['1e3', 1000],
  ])('count as the number that they spell: %j', async (character_limit, stored) => {
    const reply = await makeKey({ name: 'bot', character_limit });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().character_limit).toBe(stored);
  });

  it.each([
    ['', 'int_parsing'],
    [' ', 'int_parsing'],
    ['0x10', 'int_parsing'],
    ['NaN', 'int_parsing'],
    [false, 'int_type'],
    [[5], 'int_type'],
    ['1.5', 'int_parsing'],
  ])('are refused when they spell none: %j', async (character_limit, type) => {
    const reply = await makeKey({ name: 'bot', character_limit });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      {
        type,
        loc: ['body', 'character_limit'],
        msg: 'Input must be a whole number or null',
        input: character_limit,
      },
    ]);
  });

  it.each([null, 7, true])('are not made of other values: name %j', async (name) => {
    const reply = await makeKey({ name });
    expect(reply.json().detail).toMatchObject([{ type: 'string_type', input: name }]);
  });

  it('name one type where a list or null may come', async () => {
    const reply = await makeKey({ name: 'bot', scopes: 'text_to_speech' });
    expect(reply.json().detail).toMatchObject([
      { type: 'list_type', msg: 'Input must be a list or null', loc: ['body', 'scopes'] },
    ]);
  });

  it.each([
    ['/v1/history?page_size=x', 'int_parsing', 'Input must be a whole number'],
    ['/v1/history?page_size=', 'int_parsing', 'Input must be a whole number'],
    ['/v1/history?page_size=-1', 'greater_than_equal', 'Input must be >= 1'],
    ['/v1/history?sort_direction=up', 'literal_error', 'Input must be one of "asc", "desc"'],
    ['/v1/shared-voices?featured=perhaps', 'bool_parsing', 'Input must be true or false'],
    ['/v2/voices?sort=size', 'enum', 'Input must be one of "created_at_unix", "name"'],
  ])('%s is refused once, for one reason', async (url, type, msg) => {
    const { app } = await openApi();
    const reply = await app.inject({ url, headers });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([
      expect.objectContaining({ type, msg, loc: ['query', expect.any(String)] }),
    ]);
  });

  it('may be a list of one in a query, and any spelling of a truth value', async () => {
    const { app } = await openApi();
    const one = await app.inject({ url: '/v2/voices?voice_ids=nobody', headers });
    expect(one.json()).toMatchObject({ total_count: 0 });
    for (const spelling of ['True', '1', 'yes', 'ON']) {
      const reply = await app.inject({ url: `/v1/shared-voices?featured=${spelling}`, headers });
      expect(reply.json()).toMatchObject({ total_count: 0 });
    }
  });

  it.each([
    [{ type: 'boolean' }, 1, true],
    [{ type: ['boolean', 'null'] }, 0, false],
    [{ type: 'boolean' }, 2, 2],
    [{ type: ['number', 'null'] }, true, 1],
    [{ type: 'integer' }, true, true],
    [{ type: ['boolean', 'number'] }, 1, 1],
    [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'yes', true],
  ])(
    'may be a number for a truth value, and the other way round: %j of %j',
    (schema, value, read) => {
      expect(readSpelled(value, schema)).toBe(read);
    },
  );
});
