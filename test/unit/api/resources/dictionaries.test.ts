import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { type FormPart, multipartBody } from '../../../support/multipart-body.ts';
import { CONFIGURED_SECRET, openApi } from './api-harness.ts';

const PATH = '/v1/pronunciation-dictionaries';
const PLS =
  '<lexicon xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa">' +
  '<lexeme><grapheme>tomato</grapheme><phoneme>təˈmɑːtəʊ</phoneme></lexeme></lexicon>';
const ALIAS = { type: 'alias', string_to_replace: 'UN', alias: 'United Nations' };

async function openDictionaries() {
  const { app } = await openApi();
  const call = async (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    payload?: object | string,
  ) => {
    const options: InjectOptions = {
      method,
      url: `${PATH}${path}`,
      headers: { 'xi-api-key': CONFIGURED_SECRET, 'content-type': 'application/json' },
      ...(payload !== undefined && { payload }),
    };
    return app.inject(options);
  };
  const upload = (parts: readonly FormPart[], key = CONFIGURED_SECRET) => {
    const { payload, headers } = multipartBody(parts);
    const url = `${PATH}/add-from-file`;
    return app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...headers, 'xi-api-key': key },
    });
  };
  const create = async (rules: readonly object[] = [ALIAS], name = 'Names') =>
    (await call('POST', '/add-from-rules', { name, rules })).json();
  return { app, call, upload, create };
}

describe('POST /v1/pronunciation-dictionaries/add-from-rules', () => {
  it('answers with all that clients read, and keeps every option', async () => {
    const { call } = await openDictionaries();
    const rules = [
      ALIAS,
      {
        type: 'phoneme',
        string_to_replace: 'GIF',
        phoneme: 'JH IH1 F',
        alphabet: 'cmu-arpabet',
        case_sensitive: false,
        word_boundaries: false,
      },
    ];
    const body = { name: 'Names', description: 'Of states.', workspace_access: 'admin', rules };
    const reply = await call('POST', '/add-from-rules', body);
    expect(reply.statusCode).toBe(200);
    const created = reply.json();
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Names',
      created_by: 'default',
      creation_time_unix: 1_763_700_000,
      version_id: expect.any(String),
      version_rules_num: 2,
      description: 'Of states.',
      permission_on_resource: 'admin',
    });
    expect((await call('GET', `/${created.id}`)).json()).toEqual({
      id: created.id,
      name: 'Names',
      created_by: 'default',
      creation_time_unix: 1_763_700_000,
      latest_version_id: created.version_id,
      latest_version_rules_num: 2,
      description: 'Of states.',
      permission_on_resource: 'admin',
      archived_time_unix: null,
      rules: [{ ...ALIAS, case_sensitive: true, word_boundaries: true }, rules[1]],
    });
  });

  it.each([
    ['a rule without its alias', { type: 'alias', string_to_replace: 'a' }, 'rules[0].alias'],
    [
      'a rule without its alphabet',
      { ...ALIAS, type: 'phoneme', phoneme: 'a' },
      'rules[0].alphabet',
    ],
    ['a rule for nothing', { ...ALIAS, string_to_replace: ' ' }, 'rules[0]'],
    ['a rule for too much', { ...ALIAS, string_to_replace: 'a'.repeat(101) }, 'rules[0]'],
    ['a rule that says too much', { ...ALIAS, alias: 'a'.repeat(501) }, 'rules[0]'],
    ['control characters', { ...ALIAS, string_to_replace: 'a\0b' }, 'rules[0]'],
    ['half a character', { ...ALIAS, alias: '\ud83d' }, 'rules[0]'],
    [
      'phonemes of another alphabet',
      { type: 'phoneme', string_to_replace: 'a', phoneme: 'T AH9', alphabet: 'cmu-arpabet' },
      'rules[0]',
    ],
  ])('refuses %s', async (_, rule, param) => {
    const { call } = await openDictionaries();
    const reply = await call('POST', '/add-from-rules', { name: 'x', rules: [rule] });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toMatchObject({ code: 'invalid_input_message', param });
  });

  it('refuses a second rule for the same text, which would never be used', async () => {
    const { call } = await openDictionaries();
    const reply = await call('POST', '/add-from-rules', { name: 'x', rules: [ALIAS, ALIAS] });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail.message).toContain('rules[1]');
  });

  it.each([
    [{}, 'name'],
    [{ name: '', rules: [] }, 'name'],
    [{ name: 'x' }, 'rules'],
    [{ name: 'x', rules: [{ ...ALIAS, type: 'regex' }] }, 'rules'],
    [{ name: 'x', rules: [{ type: 'alias' }] }, 'rules'],
  ])('refuses the body %j', async (payload, field) => {
    const { call } = await openDictionaries();
    const reply = await call('POST', '/add-from-rules', payload);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toContain(field);
  });

  it('takes many rules, and refuses a body past all measure', async () => {
    const { call, create } = await openDictionaries();
    const rules = Array.from({ length: 5_000 }, (_, index) => ({
      ...ALIAS,
      string_to_replace: `w${index}`,
    }));
    expect(await create(rules)).toMatchObject({ version_rules_num: 5_000 });
    const text = JSON.stringify({ name: 'x', rules: [{ ...ALIAS, alias: 'a'.repeat(2 ** 20) }] });
    expect((await call('POST', '/add-from-rules', text)).statusCode).toBe(413);
  });
});

describe('POST /v1/pronunciation-dictionaries/add-from-file', () => {
  const name = { name: 'name', value: 'Fruit' };

  it('makes rules of a lexicon, whatever the file says it is', async () => {
    const { call, upload } = await openDictionaries();
    const file = {
      name: 'file',
      value: PLS,
      fileName: '../../../x.zip',
      contentType: 'application/zip',
    };
    const reply = await upload([name, { name: 'description', value: 'Red.' }, file]);
    expect(reply.json()).toMatchObject({
      name: 'Fruit',
      description: 'Red.',
      version_rules_num: 1,
    });
    const { rules } = (await call('GET', `/${reply.json().id}`)).json();
    expect(rules).toEqual([
      {
        type: 'phoneme',
        string_to_replace: 'tomato',
        phoneme: 'təˈmɑːtəʊ',
        alphabet: 'ipa',
        case_sensitive: true,
        word_boundaries: true,
      },
    ]);
  });

  it('makes an empty dictionary without a file', async () => {
    const { upload } = await openDictionaries();
    expect((await upload([name])).json()).toMatchObject({ version_rules_num: 0 });
  });

  it.each([
    ['a document type', `<!DOCTYPE lexicon [<!ENTITY x "y">]>${PLS}`, /document type/],
    ['an entity', PLS.replace('tomato', '&x;'), /entity/],
    ['a file that lies about its type', 'PK\x03\x04 and so on', /well-formed/],
  ])('refuses %s', async (_, value, message) => {
    const { upload } = await openDictionaries();
    const file = { name: 'file', value, fileName: 'x.pls', contentType: 'application/pls+xml' };
    const reply = await upload([name, file]);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toMatchObject({
      message: expect.stringMatching(message),
      param: 'file',
    });
  });

  it('refuses a file past all measure', async () => {
    const { upload } = await openDictionaries();
    const value = Buffer.alloc(2 ** 20 + 1, ' ');
    const reply = await upload([name, { name: 'file', value, fileName: 'x.pls' }]);
    expect(reply.statusCode).toBe(413);
    expect(reply.json().detail).toMatchObject({ param: 'file' });
  });

  it('refuses a form without a name, as the schema does', async () => {
    const { upload } = await openDictionaries();
    const reply = await upload([{ name: 'file', value: PLS, fileName: 'x.pls' }]);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'name'] });
  });

  it.each([
    ['two files', [1, 2].map(() => ({ name: 'file', value: PLS, fileName: 'x.pls' }))],
    ['a field past all measure', [{ name: 'description', value: 'a'.repeat(20_000) }]],
    ['a field named after an object’s own', [{ name: '__proto__', value: 'x' }]],
    ['fields without end', Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, value: 'x' }))],
  ])('refuses %s', async (_, parts) => {
    const { upload } = await openDictionaries();
    const reply = await upload([name, ...parts]);
    expect([413, 422]).toContain(reply.statusCode);
  });

  it('refuses what is no form, or is cut short', async () => {
    const { app, call } = await openDictionaries();
    expect((await call('POST', '/add-from-file', { name: 'x' })).statusCode).toBe(422);
    const { payload, headers } = multipartBody([name, { name: 'file', value: PLS, fileName: 'x' }]);
    for (const broken of [
      { payload: payload.subarray(0, payload.length - 60), headers },
      { payload, headers: { 'content-type': 'multipart/form-data' } },
    ]) {
      const reply = await app.inject({
        method: 'POST',
        url: `${PATH}/add-from-file`,
        payload: broken.payload,
        headers: { ...broken.headers, 'xi-api-key': CONFIGURED_SECRET },
      });
      expect(reply.statusCode).toBe(422);
    }
  });

  it('reads nothing from somebody without a key', async () => {
    const { upload } = await openDictionaries();
    const file = { name: 'file', value: Buffer.alloc(2 ** 20 + 1), fileName: 'x.pls' };
    expect((await upload([name, file], 'wrong-one')).statusCode).toBe(401);
  });
});

describe('rules', () => {
  it('are added, removed and set, each time as a new version', async () => {
    const { call, create } = await openDictionaries();
    const { id, version_id: first } = await create();
    const rule = { ...ALIAS, string_to_replace: 'EU', alias: 'European Union' };
    const added = (await call('POST', `/${id}/add-rules`, { rules: [rule] })).json();
    expect(added).toEqual({ id, version_id: expect.any(String), version_rules_num: 2 });
    const replaced = { ...ALIAS, alias: 'the UN' };
    await call('POST', `/${id}/add-rules`, { rules: [replaced] });
    expect((await call('GET', `/${id}`)).json().rules).toMatchObject([replaced, rule]);
    const removal = { rule_strings: ['UN', 'unknown'] };
    const removed = (await call('POST', `/${id}/remove-rules`, removal)).json();
    expect(removed).toMatchObject({ version_rules_num: 1 });
    await call('POST', `/${id}/set-rules`, { rules: [] });
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ latest_version_rules_num: 0 });
    const versions = [first, added.version_id, removed.version_id];
    expect(new Set(versions).size).toBe(3);
    const download = await call('GET', `/${id}/${first}/download`);
    expect(download.headers['content-type']).toContain('application/pls+xml');
    expect(download.body).toContain('<grapheme>UN</grapheme>');
    expect(download.body).not.toContain('EU');
  });

  it('are refused past the number that a dictionary can have', async () => {
    const { call, create } = await openDictionaries();
    const many = (prefix: string) =>
      Array.from({ length: 6_000 }, (_, i) => ({
        ...ALIAS,
        string_to_replace: `${prefix}${i}`,
        alias: 'x',
      }));
    const { id } = await create(many('a'));
    const reply = await call('POST', `/${id}/add-rules`, { rules: many('b') });
    expect(reply.statusCode).toBe(422);
    expect((await call('GET', `/${id}`)).json().latest_version_rules_num).toBe(6_000);
  });
});

describe('GET /v1/pronunciation-dictionaries', () => {
  it('pages by cursor, newest or first by name', async () => {
    const { call, create } = await openDictionaries();
    for (const name of ['c', 'a', 'b', 'd', 'e']) await create([], name);
    const names: string[] = [];
    let query = '?sort=name&sort_direction=ascending&page_size=2';
    for (;;) {
      const page = (await call('GET', query)).json();
      names.push(...page.pronunciation_dictionaries.map((one: { name: string }) => one.name));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (!page.has_more) break;
      query = `?sort=name&sort_direction=ascending&page_size=2&cursor=${page.next_cursor}`;
    }
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await call('GET', '')).json().pronunciation_dictionaries).toHaveLength(5);
  });

  it('leaves archived ones out, until they are brought back', async () => {
    const { call, create } = await openDictionaries();
    const { id } = await create();
    const archived = (await call('PATCH', `/${id}`, { archived: true, name: 'Old' })).json();
    expect(archived).toMatchObject({ name: 'Old', archived_time_unix: 1_763_700_000 });
    expect((await call('GET', '')).json().pronunciation_dictionaries).toEqual([]);
    const all = (await call('GET', '?include_archived=true')).json().pronunciation_dictionaries;
    expect(all).toEqual([archived]);
    await call('PATCH', `/${id}`, { archived: false, name: null });
    expect((await call('GET', '')).json().pronunciation_dictionaries).toHaveLength(1);
  });

  it.each([
    'page_size=0',
    'page_size=-1',
    'page_size=101',
    'page_size=many',
    'sort=rules',
    'cursor=nonsense',
    `cursor=${Buffer.from('[1]').toString('base64url')}`,
    `cursor=${Buffer.from('[1e999,"a","b"]').toString('base64url')}`,
  ])('refuses %s', async (query) => {
    const { call } = await openDictionaries();
    expect((await call('GET', `?${query}`)).statusCode).toBe(422);
  });
});

describe('one dictionary', () => {
  it.each([
    ['GET', '/unknown'],
    ['GET', '/%2e%2e%2f%2e%2e%2fetc%2fpasswd'],
    ['GET', '/__proto__'],
    ['PATCH', '/unknown'],
    ['POST', '/unknown/add-rules'],
    ['POST', '/unknown/set-rules'],
    ['POST', '/unknown/remove-rules'],
    ['GET', '/unknown/unknown/download'],
  ] as const)('is not found by %s %s', async (method, path) => {
    const { call } = await openDictionaries();
    const payload = method === 'GET' ? undefined : { rules: [], rule_strings: ['x'] };
    const reply = await call(method, path, payload);
    expect(reply.statusCode).toBe(404);
    expect(reply.json().detail).toMatchObject({ code: 'not_found' });
  });

  it('is not found in a version of another', async () => {
    const { call, create } = await openDictionaries();
    const { id } = await create();
    const { version_id } = await create();
    expect((await call('GET', `/${id}/${version_id}/download`)).statusCode).toBe(404);
  });

  it.each(['GET', 'POST', 'PATCH'] as const)('needs a key for %s', async (method) => {
    const { app } = await openDictionaries();
    const url = method === 'POST' ? `${PATH}/x/set-rules` : `${PATH}/x`;
    const payload = method === 'GET' ? {} : { payload: { rules: [] } };
    expect((await app.inject({ method, url, ...payload })).statusCode).toBe(401);
  });
});
