import { describe, expect, it } from 'vitest';
import { ADA, CONFIGURED_SECRET, openApi, UNLISTED, VOICES } from './api-harness.ts';

describe('GET /v1/voices', () => {
  it('lists the same voices to anybody, whatever they ask', async () => {
    const { app } = await openApi();
    for (const headers of [{}, { 'xi-api-key': CONFIGURED_SECRET }]) {
      for (const url of ['/v1/voices', '/v1/voices?show_legacy=true']) {
        const reply = await app.inject({ url, headers });
        expect(reply.statusCode).toBe(200);
        const names = reply.json().voices.map((voice: { name: string }) => voice.name);
        expect(names).toEqual(['Ada', 'Faber']);
      }
    }
  });

  it('has every key that strict clients demand, and the licence', async () => {
    const { app } = await openApi();
    const [first, second] = (await app.inject('/v1/voices')).json().voices;
    expect(first).toMatchObject({
      voice_id: ADA,
      name: 'Ada',
      category: 'premade',
      labels: { language: 'en', locale: 'en-US', gender: 'female', description: 'Calm and low.' },
      available_for_tiers: [],
      high_quality_base_model_ids: [
        'svc_monolingual_v1',
        'svc_multilingual_v1',
        'svc_turbo_v1',
        'svc_expressive_v1',
      ],
      settings: {
        stability: 0.5,
        similarity_boost: 0.75,
        style: 0,
        use_speaker_boost: true,
        speed: 1,
      },
      preview_url: null,
      licence: 'CC BY 4.0',
      attribution: 'LibriTTS-R, Koizumi et al. 2023',
    });
    expect(Object.values(second.labels).every((label) => typeof label === 'string')).toBe(true);
    expect(second.labels).toEqual({ language: 'pt', locale: 'pt-BR' });
  });
});

describe('GET /v1/voices/{voice_id}', () => {
  it('reaches unlisted voices too', async () => {
    const { app } = await openApi();
    const reply = await app.inject(`/v1/voices/${UNLISTED}`);
    expect(reply.json()).toMatchObject({ voice_id: UNLISTED, name: expect.stringMatching(/42$/) });
  });

  it.each(['nobody', 'A1b2C3d4E5f6G7h8I9j', '%2e%2e%2fetc'])('refuses %s', async (voiceId) => {
    const { app } = await openApi();
    const reply = await app.inject(`/v1/voices/${voiceId}`);
    expect(reply.statusCode).toBe(404);
    expect(reply.json().detail).toMatchObject({ code: 'voice_not_found', param: 'voice_id' });
  });
});

describe('GET /v1/models', () => {
  it('is a bare list that speaks the languages of the installed voices', async () => {
    const { app } = await openApi();
    const headers = { 'xi-api-key': CONFIGURED_SECRET };
    const models = (await app.inject({ url: '/v1/models', headers })).json();
    expect(models.map((model: { model_id: string }) => model.model_id)).toEqual([
      'svc_monolingual_v1',
      'svc_multilingual_v1',
      'svc_turbo_v1',
      'svc_expressive_v1',
      'eleven_monolingual_v1',
      'eleven_multilingual_v1',
      'eleven_multilingual_v2',
      'tts-1-hd',
      'eleven_turbo_v2',
      'eleven_turbo_v2_5',
      'eleven_flash_v2',
      'eleven_flash_v2_5',
      'tts-1',
      'gpt-4o-mini-tts',
      'sonic',
      'sonic-2',
      'sonic-3',
      'sonic-3.5',
      'sonic-latest',
      'sonic-turbo',
      'sonic-english',
      'sonic-multilingual',
      'sonic-preview',
      'sonic-lite',
      'eleven_v3',
      'eleven_v3_conversational',
      'eleven_v4',
      'eleven_v4_turbo',
    ]);
    for (const model of models) {
      expect(model).toMatchObject({
        can_do_text_to_speech: true,
        can_do_voice_conversion: false,
        languages: [
          { language_id: 'en', name: 'English' },
          { language_id: 'pt', name: 'Portuguese' },
        ],
        model_rates: { character_cost_multiplier: 1, cost_discount_multiplier: 1 },
      });
    }
  });
});

describe('GET /v1/models without a valid key', () => {
  it.each([
    [{}, 404, 'workspace_not_found'],
    [{ 'xi-api-key': 'wrong-one' }, 401, 'unauthorized'],
    [{ authorization: 'Bearer wrong-one' }, 401, 'unauthorized'],
  ])('is refused: %j', async (headers, status, code) => {
    const { app } = await openApi();
    const reply = await app.inject({ url: '/v1/models', headers });
    expect(reply.statusCode).toBe(status);
    expect(reply.json().detail).toMatchObject({ code });
  });
});

describe('GET /health', () => {
  it('measures the process that answers', async () => {
    const { app } = await openApi();
    const health = (await app.inject('/health')).json();
    expect(health).toMatchObject({
      status: 'ok',
      version: '1.2.3',
      voices: VOICES.list().length,
      engine: { workers: 2 },
    });
    expect(health.memory.rssBytes).toBeGreaterThan(10_000_000);
    expect(health.uptimeMs).toBeGreaterThan(0);
    expect(health.eventLoop.delayP99Ms).toBeGreaterThanOrEqual(0);
  });

  it('tells a load balancer to wait until the voice is loaded', async () => {
    let isReady = false;
    const { app } = await openApi({ isReady: () => isReady });
    const starting = await app.inject('/health');
    expect([starting.statusCode, starting.json().status]).toEqual([503, 'starting']);
    isReady = true;
    expect((await app.inject('/health')).statusCode).toBe(200);
  });

  it('stays ready while speech goes on in spite of a problem, and says which', async () => {
    const problem = { part: 'database', reason: 'disk_full', forMs: 5 } as const;
    let isBeyondGrace = false;
    const storageHealth = { problems: () => [problem], isBeyondGrace: () => isBeyondGrace };
    const { app } = await openApi({ storageHealth });
    const degraded = await app.inject('/health');
    expect(degraded.statusCode).toBe(200);
    expect(degraded.json()).toMatchObject({ status: 'degraded', problems: [problem] });
    isBeyondGrace = true;
    const unavailable = await app.inject('/health');
    expect(unavailable.statusCode).toBe(503);
    expect(unavailable.json()).toMatchObject({ status: 'unavailable' });
  });

  it('says that the server is full, and goes on to answer 200: what is being spoken must not be cut', async () => {
    const { app } = await openApi({ isFull: () => true });
    const full = await app.inject('/health');
    expect([full.statusCode, full.json().status]).toEqual([200, 'full']);
  });

  it('notices a blocked event loop', async () => {
    const { app } = await openApi();
    await app.ready();
    await new Promise((resolve) => setTimeout(resolve, 30));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const health = (await app.inject('/health')).json();
    expect(health.eventLoop.delayP99Ms).toBeGreaterThan(150);
  });
});
