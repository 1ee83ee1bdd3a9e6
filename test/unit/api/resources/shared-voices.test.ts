import { describe, expect, it } from 'vitest';
import { voiceIdOf } from '../../../../src/service/voices/voice-id.ts';
import { ADA, CONFIGURED_SECRET, openApi, UNLISTED } from './api-harness.ts';

const OWNER = ADA.slice(0, 16);
const LIBRITTS = 'en_US-libritts_r-medium';

async function openLibrary() {
  const { app } = await openApi();
  const headers = { 'xi-api-key': CONFIGURED_SECRET };
  return {
    app,
    list: async (query = '') => app.inject({ url: `/v1/shared-voices?${query}`, headers }),
    adopt: (ownerId: string, voiceId: string, payload: object = { new_name: 'Bert' }) =>
      app.inject({
        method: 'POST',
        url: `/v1/voices/add/${ownerId}/${voiceId}`,
        payload,
        headers,
      }),
  };
}

describe('GET /v1/shared-voices', () => {
  it('offers every speaker of the models that have several', async () => {
    const { list } = await openLibrary();
    const ids = new Set<string>();
    for (let page = 0; page < 10; page++) {
      const { voices, has_more, total_count, last_sort_id } = (
        await list(`page_size=100&page=${page}`)
      ).json();
      for (const { voice_id } of voices) ids.add(voice_id);
      expect(total_count).toBe(904);
      expect(has_more).toBe(page < 9);
      expect(last_sort_id).toBe(voices.at(-1).voice_id);
    }
    expect(ids).toEqual(
      new Set(Array.from({ length: 904 }, (_, index) => voiceIdOf(LIBRITTS, index))),
    );
  });

  it('has every key that strict clients demand', async () => {
    const { list } = await openLibrary();
    const { voices } = (await list()).json();
    expect(voices).toHaveLength(30);
    const texts = ['public_owner_id', 'voice_id', 'name', 'accent', 'gender', 'age', 'descriptive'];
    for (const voice of voices) {
      for (const key of [...texts, 'use_case', 'category']) expect(voice[key]).toBeTypeOf('string');
      for (const key of ['date_unix', 'usage_character_count_1y', 'usage_character_count_7d']) {
        expect(voice[key]).toBeTypeOf('number');
      }
      expect(voice.play_api_usage_character_count_1y).toBe(0);
      expect(voice.cloned_by_count).toBe(0);
      expect(voice).toMatchObject({
        free_users_allowed: true,
        live_moderation_enabled: false,
        featured: false,
        licence: 'CC BY 4.0',
      });
    }
    expect(voices[7]).toMatchObject({ name: 'Ada', gender: 'female', is_added_by_user: true });
    expect(voices[8]).toMatchObject({ is_added_by_user: false });
  });

  it.each([
    ['search=ada', 1],
    ['search=calm%20ADA', 1],
    ['search=nobody', 0],
    ['gender=female', 1],
    ['language=en', 904],
    ['language=pt', 0],
    ['locale=en-us', 904],
    ['category=professional', 904],
    ['category=famous', 0],
    [`owner_id=${OWNER}`, 904],
    ['owner_id=nobody', 0],
    ['age=old', 0],
    ['use_cases=news&use_cases=ads', 0],
    ['featured=true', 0],
    ['featured=false', 904],
    ['sort=trending', 904],
    ['page=1000000', 904],
  ])('finds with %s', async (query, count) => {
    const { list } = await openLibrary();
    expect((await list(query)).json().total_count).toBe(count);
  });

  it.each(['page_size=0', 'page_size=101', 'page=-1', 'page=1e9', 'sort=none'])(
    'refuses %s',
    async (query) => {
      const { list } = await openLibrary();
      expect((await list(query)).statusCode).toBe(422);
    },
  );

  it('needs a key', async () => {
    const { app } = await openLibrary();
    expect((await app.inject('/v1/shared-voices')).statusCode).toBe(401);
  });
});

describe('POST /v1/voices/add/{public_user_id}/{voice_id}', () => {
  it('puts a voice into the list, under its new name', async () => {
    const { app, list, adopt } = await openLibrary();
    expect((await adopt(OWNER, UNLISTED)).json()).toEqual({ voice_id: UNLISTED });
    const headers = { 'xi-api-key': CONFIGURED_SECRET };
    const { voices } = (await app.inject({ url: '/v1/voices', headers })).json();
    expect(voices.at(-1)).toMatchObject({ voice_id: UNLISTED, name: 'Bert' });
    const shown = (await list(`page=1&page_size=42&owner_id=${OWNER}`)).json().voices[0];
    expect(shown).toMatchObject({ voice_id: UNLISTED, is_added_by_user: true });
  });

  it('refuses a voice that is in the list already', async () => {
    const { adopt } = await openLibrary();
    await adopt(OWNER, UNLISTED);
    for (const voiceId of [UNLISTED, ADA]) {
      const reply = await adopt(OWNER, voiceId);
      expect(reply.statusCode).toBe(409);
      expect(reply.json().detail.code).toBe('already_exists');
    }
  });

  it('lets only one of many adoptions at once through', async () => {
    const { adopt } = await openLibrary();
    const replies = await Promise.all(Array.from({ length: 8 }, () => adopt(OWNER, UNLISTED)));
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('stops at the number of voices that the account’s tier allows', async () => {
    const { app, adopt } = await openLibrary();
    const headers = { 'xi-api-key': CONFIGURED_SECRET };
    const url = '/v1/workspace/accounts/default';
    await app.inject({ method: 'PATCH', url, payload: { tier: 'free' }, headers });
    for (const speaker of [20, 21, 22]) {
      expect((await adopt(OWNER, voiceIdOf(LIBRITTS, speaker))).statusCode).toBe(200);
    }
    const refusal = await adopt(OWNER, voiceIdOf(LIBRITTS, 23));
    expect(refusal.statusCode).toBe(400);
    expect(refusal.json().detail.code).toBe('voice_limit_reached');
  });

  it.each([
    ['another owner', 'somebody', UNLISTED],
    ['a voice that is not there', OWNER, voiceIdOf(LIBRITTS, 904)],
    ['a path', OWNER, '%2e%2e%2f%2e%2e%2fetc'],
  ])('refuses %s', async (_, ownerId, voiceId) => {
    const { adopt } = await openLibrary();
    expect((await adopt(ownerId, voiceId)).statusCode).toBe(404);
  });

  it.each([{}, { new_name: '' }, { new_name: null }, { new_name: 'x'.repeat(101) }])(
    'refuses the body %j',
    async (payload) => {
      const { adopt } = await openLibrary();
      expect((await adopt(OWNER, UNLISTED, payload)).statusCode).toBe(422);
    },
  );
});
