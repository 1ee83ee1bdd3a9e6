import { describe, expect, it } from 'vitest';
import { USAGE_LABELS } from '../../../support/usage-labels.ts';
import { NOW, openAccountsApi } from './accounts-harness.ts';
import { CONFIGURED_SECRET } from './api-harness.ts';

const ACME = { account_id: 'acme', name: 'Acme', tier: 'creator' };

async function openAcme() {
  const api = await openAccountsApi();
  await api.call('POST', '/v1/workspace/accounts', ACME);
  const made = await api.call('POST', '/v1/workspace/api-keys?account_id=acme', { name: 'bot' });
  const { api_key: key, api_key_id: keyId } = made.json();
  return { ...api, key, caller: { accountId: 'acme', keyId } };
}

describe('the user', () => {
  it('has every key that strict clients demand, with numbers of the ledger', async () => {
    const { call, quota, key, caller } = await openAcme();
    await (await quota.reserve(caller, 2000, USAGE_LABELS)).settle(1500);
    await quota.reserve(caller, 34, USAGE_LABELS);
    const subscription = (await call('GET', '/v1/user/subscription', undefined, { key })).json();
    expect(subscription).toEqual({
      tier: 'creator',
      status: 'active',
      character_count: 1534,
      character_limit: 100_000,
      max_character_limit_extension: 0,
      max_credit_limit_extension: 0,
      can_extend_character_limit: false,
      allowed_to_extend_character_limit: false,
      next_character_count_reset_unix: Date.parse('2100-04-10T12:00:00Z') / 1000,
      voice_slots_used: 2,
      voice_limit: 30,
      max_voice_add_edits: null,
      voice_add_edit_counter: 0,
      can_extend_voice_limit: false,
      can_use_instant_voice_cloning: true,
      professional_voice_slots_used: 0,
      professional_voice_slots_used_in_workspace: 0,
      professional_voice_limit: 0,
      can_use_professional_voice_cloning: false,
      current_overage: { amount: '0', currency: 'usd' },
      currency: null,
      billing_period: 'monthly_period',
      character_refresh_period: 'monthly_period',
      next_invoice: null,
      open_invoices: [],
      has_open_invoices: false,
    });
    const user = (await call('GET', '/v1/user', undefined, { key })).json();
    const { next_invoice, open_invoices, has_open_invoices, ...withoutInvoices } = subscription;
    expect(user).toMatchObject({
      user_id: 'acme',
      workspace_id: 'acme',
      created_at: NOW / 1000,
      is_new_user: false,
      seat_type: 'workspace_admin',
      subscription: withoutInvoices,
    });
    expect(JSON.stringify(user)).not.toContain(key);
  });

  it('of a fresh installation has a limit that 32 bits can hold, and says that there is none', async () => {
    const { call } = await openAccountsApi();
    expect((await call('GET', '/v1/user/subscription')).json()).toMatchObject({
      tier: 'business',
      status: 'active',
      character_count: 0,
      character_limit: 2_147_483_647,
      max_credit_limit_extension: 'unlimited',
    });
  });

  it('is "free" on the free tier', async () => {
    const { call, key } = await openAcme();
    await call('PATCH', '/v1/workspace/accounts/acme', { tier: 'free' });
    expect((await call('GET', '/v1/user/subscription', undefined, { key })).json()).toMatchObject({
      tier: 'free',
      status: 'free',
      character_limit: 10_000,
      voice_limit: 3,
    });
  });

  it.each(['/v1/user', '/v1/user/subscription'])('%s needs a key', async (url) => {
    const { app } = await openAccountsApi();
    expect((await app.inject({ url })).statusCode).toBe(401);
    const bearing = async (key: string) =>
      app.inject({ url, headers: { authorization: `Bearer ${key}` } });
    expect((await bearing(CONFIGURED_SECRET)).statusCode).toBe(200);
    const wrong = await bearing('wrong-key-1');
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json().detail.status).toBe('invalid_api_key');
  });
});
