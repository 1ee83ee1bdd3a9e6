import { describe, expect, it } from 'vitest';
import type { UsageLabels } from '../../../../src/domain/usage.ts';
import { USAGE_LABELS } from '../../../support/usage-labels.ts';
import { NOW, openAccountsApi } from './accounts-harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 10 March 2100, a Wednesday. */
const TODAY = Date.parse('2100-03-10');
const CALLER = { accountId: 'default', keyId: 'bot' };

/** Characters that were charged so many hours before noon of today. */
async function openUsed(charges: readonly (readonly [hoursAgo: number, characters: number])[]) {
  const api = await openAccountsApi();
  const charge = async (characters: number, labels: Partial<UsageLabels> = {}, keyId = 'bot') => {
    const payer = { ...CALLER, keyId };
    const reservation = await api.quota.reserve(payer, 1000, { ...USAGE_LABELS, ...labels });
    await reservation.settle(characters);
  };
  for (const [hoursAgo, characters] of charges) {
    api.clock.nowMs = NOW - hoursAgo * HOUR;
    await charge(characters);
  }
  api.clock.nowMs = NOW;
  const ask = async (query: string, start = TODAY, end = TODAY + DAY - 1) => {
    const url = `/v1/usage/character-stats?start_unix=${start}&end_unix=${end}${query}`;
    return (await api.call('GET', url)).json();
  };
  return { ...api, charge, ask };
}

describe('usage over time', () => {
  it('is told by day unless asked otherwise, each row as long as the axis', async () => {
    const { ask } = await openUsed([
      [72, 1],
      [36, 20],
      [1, 300],
      [0, 1000],
    ]);
    expect(await ask('', TODAY - 2 * DAY)).toEqual({
      time: [TODAY - 2 * DAY, TODAY - DAY, TODAY],
      usage: { All: [0, 20, 1300] },
    });
    expect(await ask('&aggregation_interval=hour', TODAY + 10.5 * HOUR)).toEqual({
      time: [TODAY + 10.5 * HOUR, TODAY + 11 * HOUR, TODAY + 12 * HOUR],
      usage: { All: [0, 300, 1000] },
    });
    const hourly = await ask('&aggregation_bucket_size=21600&include_workspace_metrics=true');
    expect(hourly).toEqual({
      time: [0, 6, 12].map((hour) => TODAY + hour * HOUR),
      usage: { All: [0, 300, 1000] },
    });
  });

  it('is told by week from Monday, by month, and in all', async () => {
    const { ask } = await openUsed([
      [24 * 20, 1],
      [24 * 3, 20],
      [0, 300],
    ]);
    const from = TODAY - 25 * DAY;
    const week = await ask('&aggregation_interval=week&metric=tts_characters', from);
    expect(week.time.slice(1).map((ms: number) => new Date(ms).getUTCDay())).toEqual([1, 1, 1, 1]);
    expect(week.usage).toEqual({ All: [0, 1, 0, 20, 300] });
    expect(await ask('&aggregation_interval=month', from)).toEqual({
      time: [from, Date.parse('2100-03-01')],
      usage: { All: [1, 320] },
    });
    expect(await ask('&aggregation_interval=cumulative', from)).toEqual({
      time: [from],
      usage: { All: [321] },
    });
  });

  it('is broken down by voice, model and key, and by what there is one of', async () => {
    const { ask, charge } = await openUsed([]);
    await charge(10, { voiceId: 'ben' });
    await charge(5, { modelId: 'svc_quality_v1' }, 'phone');
    const rows = async (type: string) => (await ask(`&breakdown_type=${type}`)).usage;
    expect(await rows('voice')).toEqual({ ben: [10], ada: [5] });
    expect(await rows('model')).toEqual({ svc_turbo_v1: [10], svc_quality_v1: [5] });
    expect(await rows('api_keys')).toEqual({ bot: [10], phone: [5] });
    expect(await rows('user')).toEqual({ default: [15] });
    expect(await rows('product_type')).toEqual({ TTS: [15] });
    expect((await ask('&breakdown_type=voice', 0, 0)).usage).toEqual({});
  });

  it('tells a hundred rows apart, those with the most characters', async () => {
    const { ask, charge } = await openUsed([]);
    for (let voice = 1; voice <= 102; voice++) await charge(voice, { voiceId: `voice-${voice}` });
    const { usage } = await ask('&breakdown_type=voice');
    expect(Object.keys(usage).length).toBe(101);
    expect([usage['voice-102'], usage['voice-3'], usage['Other']]).toEqual([[102], [3], [3]]);
  });

  it('goes back as far as it is kept', async () => {
    const { ask } = await openUsed([[24 * 399, 7]]);
    const year = await ask('&aggregation_interval=month', 0);
    expect(year.time[0]).toBe(TODAY - 400 * DAY);
    expect(year.usage.All[0]).toBe(7);
    const hourly = await ask('&aggregation_interval=hour', TODAY - 36 * DAY);
    expect(hourly.detail).toMatchObject({ status: 'invalid_parameters', param: 'start_unix' });
    expect(hourly.detail.message).toContain('2100-02-03');
    const backwards = await ask('', TODAY, TODAY - 1);
    expect(backwards.detail).toMatchObject({ status: 'invalid_parameters', param: 'end_unix' });
  });

  it('is summed up by day when it is five weeks old, once an hour', async () => {
    const { ask, quota, clock, storage } = await openUsed([[1, 300]]);
    clock.nowMs = NOW + 36 * DAY;
    quota.start();
    const whole = { accountId: 'default', fromMs: 0, toMs: clock.nowMs };
    const hours = async () => (await storage.usage.usedOverTime(whole)).map(({ fromMs }) => fromMs);
    await expect.poll(hours, { timeout: 20_000 }).toEqual([TODAY]);
    expect((await ask('', TODAY + HOUR)).usage.All).toEqual([300]);
  });
});
