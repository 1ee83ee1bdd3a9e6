import { describe, expect, it } from 'vitest';
import { voiceIdOf } from '../../../../src/service/voices/voice-id.ts';
import { ADA, ADA_ALIAS, CONFIGURED_SECRET, openApi, UNLISTED } from './api-harness.ts';

const LIBRITTS = 'en_US-libritts_r-medium';

async function openVoices() {
  const { app } = await openApi();
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    app.inject({
      method,
      url,
      headers: { 'xi-api-key': CONFIGURED_SECRET },
      ...(payload && { payload }),
    });
  const adopt = (voiceId: string, new_name: string) =>
    call('POST', `/v1/voices/add/${voiceId.slice(0, 16)}/${voiceId}`, { new_name });
  const search = async (query: string) => (await call('GET', `/v2/voices?${query}`)).json();
  return { app, call, adopt, search };
}

function namesOf({ voices }: { readonly voices: ReadonlyArray<{ readonly name: string }> }) {
  return voices.map(({ name }) => name);
}

describe('GET /v1/voices', () => {
  it('shows an account its own voices, and others the installed ones only', async () => {
    const { app, call, adopt } = await openVoices();
    await adopt(UNLISTED, 'Bert');
    expect(namesOf((await call('GET', '/v1/voices')).json())).toEqual(['Ada', 'Faber', 'Bert']);
    const listFor = async (headers: Record<string, string>) =>
      app.inject({ url: '/v1/voices', headers });
    expect(namesOf((await listFor({})).json())).toEqual(['Ada', 'Faber']);
    const bearing = { authorization: `Bearer ${CONFIGURED_SECRET}` };
    expect(namesOf((await listFor(bearing)).json())).toEqual(['Ada', 'Faber', 'Bert']);
  });

  it('refuses a key that is wrong, by which clients test their settings', async () => {
    const { app } = await openVoices();
    const statusFor = async (key: string) =>
      (await app.inject({ url: '/v1/voices', headers: { 'xi-api-key': key } })).statusCode;
    expect(await statusFor('wrong-one')).toBe(401);
    expect(await statusFor(`sk_${'0'.repeat(48)}`)).toBe(400);
  });

  it('refuses a key that is valid and may not be used for it', async () => {
    const { app, call } = await openVoices();
    const body = { name: 'models only', scopes: ['models_read'] };
    const { api_key: key } = (await call('POST', '/v1/workspace/api-keys', body)).json();
    const reply = await app.inject({ url: '/v1/voices', headers: { 'xi-api-key': key } });
    expect(reply.json().detail).toMatchObject({
      status: 'missing_permissions',
      message: expect.stringContaining('voices_read'),
    });
  });
});

describe('GET /v2/voices', () => {
  it('needs a key', async () => {
    const { app } = await openVoices();
    expect((await app.inject('/v2/voices')).statusCode).toBe(401);
  });

  it.each([
    ['', ['Ada', 'Faber', 'Zoe', 'Bert']],
    ['sort_direction=desc', ['Bert', 'Zoe', 'Faber', 'Ada']],
    ['sort=name', ['Ada', 'Bert', 'Faber', 'Zoe']],
    ['sort=name&sort_direction=desc', ['Zoe', 'Faber', 'Bert', 'Ada']],
    ['sort=created_at_unix&sort_direction=desc&page_size=2', ['Bert', 'Zoe']],
    ['search=CALM low', ['Ada']],
    ['search=professional', ['Zoe', 'Bert']],
    ['search=a%20b%20nothing', []],
    ['category=premade', ['Ada', 'Faber']],
    ['category=cloned', []],
    ['voice_type=default', ['Ada', 'Faber']],
    ['voice_type=community', ['Zoe', 'Bert']],
    ['voice_type=non-default', ['Zoe', 'Bert']],
    ['voice_type=saved', ['Zoe', 'Bert']],
    ['voice_type=personal', []],
    ['voice_type=non-community', []],
    ['gender=female', ['Ada']],
    ['language=pt', ['Faber']],
    ['language=pt&language=xx', ['Faber']],
    [`voice_ids=${ADA}`, ['Ada']],
    [`voice_ids=${ADA}&voice_ids=none&voice_ids=${UNLISTED}`, ['Ada', 'Bert']],
    ['collection_id=x', []],
    ['unknown=field&fine_tuning_state=draft', ['Ada', 'Faber', 'Zoe', 'Bert']],
  ])('%s', async (query, names) => {
    const { adopt, search } = await openVoices();
    await adopt(voiceIdOf(LIBRITTS, 1), 'Zoe');
    await adopt(UNLISTED, 'Bert');
    const page = await search(query);
    // Both were adopted at the same moment, so their ids decide.
    expect(namesOf(page)).toEqual(names);
    expect(page.total_count).toBeGreaterThanOrEqual(names.length);
  });

  it.each(['sort=name', 'sort=name&sort_direction=desc', 'sort=created_at_unix', ''])(
    'pages through all of them, once each (%s)',
    async (query) => {
      const { adopt, search } = await openVoices();
      for (let speaker = 20; speaker < 29; speaker++) {
        await adopt(voiceIdOf(LIBRITTS, speaker), `Voice ${speaker % 3}`);
      }
      const whole = await search(`${query}&page_size=100`);
      expect(whole).toMatchObject({ has_more: false, next_page_token: null, total_count: 11 });
      const ids: string[] = [];
      let token = '';
      do {
        const page = await search(`${query}&page_size=3${token}`);
        expect(page.total_count).toBe(11);
        ids.push(...page.voices.map((voice: { voice_id: string }) => voice.voice_id));
        token = page.has_more ? `&next_page_token=${page.next_page_token}` : '';
      } while (token !== '');
      expect(ids).toEqual(whole.voices.map((voice: { voice_id: string }) => voice.voice_id));
    },
  );

  it('goes on where it was when the last voice of a page is gone', async () => {
    const { adopt, call, search } = await openVoices();
    await adopt(voiceIdOf(LIBRITTS, 1), 'Bea');
    await adopt(voiceIdOf(LIBRITTS, 2), 'Cleo');
    const first = await search('sort=name&page_size=2');
    await call('DELETE', `/v1/voices/${voiceIdOf(LIBRITTS, 1)}`);
    const second = await search(`sort=name&page_size=2&next_page_token=${first.next_page_token}`);
    expect([...namesOf(first), ...namesOf(second)]).toEqual(['Ada', 'Bea', 'Cleo', 'Faber']);
  });

  it.each([
    'page_size=0',
    'page_size=-5',
    'page_size=101',
    'sort=age',
    'voice_type=mine',
    'category=none',
    'next_page_token=nonsense',
    `next_page_token=${Buffer.from('null').toString('base64url')}`,
    `next_page_token=${Buffer.from('[{},"x"]').toString('base64url')}`,
    `search=${'a'.repeat(201)}`,
    Array.from({ length: 101 }, () => 'voice_ids=x').join('&'),
  ])('refuses %s', async (query) => {
    const { call } = await openVoices();
    expect((await call('GET', `/v2/voices?${query}`)).statusCode).toBe(422);
  });
});

describe('a voice of one’s own', () => {
  it('is one record wherever it is read', async () => {
    const { adopt, call, search } = await openVoices();
    await adopt(UNLISTED, 'Bert');
    const record = (await call('GET', `/v1/voices/${UNLISTED}`)).json();
    expect(record).toMatchObject({
      voice_id: UNLISTED,
      name: 'Bert',
      category: 'professional',
      labels: { language: 'en', locale: 'en-US' },
      licence: 'CC BY 4.0',
      created_at_unix: 1_763_700_000,
      is_owner: false,
      permission_on_resource: 'admin',
      samples: null,
    });
    expect((await search('voice_type=community')).voices).toEqual([record]);
  });

  it('is deleted once, and leaves the library as it was', async () => {
    const { adopt, call } = await openVoices();
    await adopt(UNLISTED, 'Bert');
    const url = `/v1/voices/${UNLISTED}`;
    expect((await call('DELETE', url)).json()).toEqual({ status: 'ok' });
    expect((await call('GET', url)).json()).toMatchObject({ created_at_unix: null });
    expect((await call('DELETE', url)).statusCode).toBe(401);
  });

  it.each([
    ['an installed voice', ADA, 401, 'missing_permissions'],
    ['a voice that does not exist', 'nobody', 404, 'voice_not_found'],
    ['a path', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404, 'voice_not_found'],
  ])('is not %s, which cannot be deleted', async (_, voiceId, http, status) => {
    const { call } = await openVoices();
    const reply = await call('DELETE', `/v1/voices/${voiceId}`);
    expect(reply.statusCode).toBe(http);
    expect(reply.json().detail).toMatchObject({ status, param: 'voice_id' });
  });
});

describe('an alias', () => {
  it('is answered with the voice, under the id that was asked', async () => {
    const { app, call } = await openVoices();
    const asked = (await app.inject(`/v1/voices/${ADA_ALIAS}`)).json();
    expect(asked).toMatchObject({ voice_id: ADA_ALIAS, name: 'Ada', alias_of: ADA });
    const own = (await app.inject(`/v1/voices/${ADA}`)).json();
    expect(own).toMatchObject({ voice_id: ADA, alias_of: null, aliases: [ADA_ALIAS] });
    const settings = (await call('GET', `/v1/voices/${ADA_ALIAS}/settings`)).json();
    expect(settings).toEqual(own.settings);
    const removal = await call('DELETE', `/v1/voices/${ADA_ALIAS}`);
    expect(removal.json().detail.status).toBe('missing_permissions');
  });

  it('is listed where it is asked for, and nowhere else', async () => {
    const { search } = await openVoices();
    const listed = async (query: string) =>
      (await search(query)).voices.map(({ voice_id }: { voice_id: string }) => voice_id);
    expect(await listed(`voice_ids=${ADA_ALIAS}&voice_ids=${ADA}`)).toEqual([ADA, ADA_ALIAS]);
    expect(await listed('page_size=100')).not.toContain(ADA_ALIAS);
  });
});
