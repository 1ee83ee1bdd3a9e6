import { describe, expect, it } from 'vitest';
import { ADA, CONFIGURED_SECRET, openApi, UNLISTED } from './api-harness.ts';

const DEFAULTS = {
  stability: 0.5,
  similarity_boost: 0.75,
  style: 0,
  use_speaker_boost: true,
  speed: 1,
};

async function openSettings() {
  const { app } = await openApi();
  const headers = { 'xi-api-key': CONFIGURED_SECRET };
  return {
    app,
    get: (path: string) => app.inject({ url: `/v1/voices/${path}`, headers }),
    edit: (voiceId: string, payload: object) =>
      app.inject({ method: 'POST', url: `/v1/voices/${voiceId}/settings/edit`, payload, headers }),
  };
}

describe('stored settings', () => {
  it('are the defaults until others are stored, and merge with those that are', async () => {
    const { get, edit } = await openSettings();
    expect((await get('settings/default')).json()).toEqual(DEFAULTS);
    expect((await get(`${ADA}/settings`)).json()).toEqual(DEFAULTS);
    const first = { stability: 0.2, use_speaker_boost: false, speed: null };
    expect((await edit(ADA, first)).json()).toEqual({ status: 'ok' });
    await edit(ADA, { speed: 1.1, style: 0.3 });
    const stored = {
      ...DEFAULTS,
      stability: 0.2,
      use_speaker_boost: false,
      speed: 1.1,
      style: 0.3,
    };
    expect((await get(`${ADA}/settings`)).json()).toEqual(stored);
    expect((await get(ADA)).json().settings).toEqual(stored);
    expect((await get(`${UNLISTED}/settings`)).json()).toEqual(DEFAULTS);
  });

  it('are nobody else’s to see', async () => {
    const { app, edit } = await openSettings();
    await edit(ADA, { stability: 0 });
    expect((await app.inject(`/v1/voices/${ADA}`)).json().settings).toEqual(DEFAULTS);
    expect((await app.inject(`/v1/voices/${ADA}/settings`)).statusCode).toBe(401);
  });

  it('may come as text, as some clients send all values', async () => {
    const { get, edit } = await openSettings();
    await edit(ADA, { stability: '0.3', use_speaker_boost: 'false' });
    expect((await get(`${ADA}/settings`)).json()).toMatchObject({
      stability: 0.3,
      use_speaker_boost: false,
    });
  });

  it.each([
    { stability: -0.1 },
    { stability: 1.1 },
    { similarity_boost: 2 },
    { style: 'much' },
    { speed: 0.5 },
    { speed: 1.3 },
    { use_speaker_boost: 'perhaps' },
    { stability: [1, 2] },
  ])('are refused when they are %j', async (payload) => {
    const { get, edit } = await openSettings();
    const reply = await edit(ADA, payload);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toEqual(['body', Object.keys(payload)[0]]);
    expect((await get(`${ADA}/settings`)).json()).toEqual(DEFAULTS);
  });

  it('are not kept for voices that do not exist', async () => {
    const { get, edit } = await openSettings();
    expect((await get('nobody/settings')).statusCode).toBe(404);
    expect((await edit('nobody', { stability: 1 })).statusCode).toBe(404);
  });
});
