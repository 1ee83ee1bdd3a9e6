import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Standing } from '../../service/account/quota.ts';
import { TIER_LIMITS } from '../../service/account/tiers.ts';
import { type SubscriptionRecord, SubscriptionWithInvoices, UserRecord } from './user-schemas.ts';

const tags = ['User'];
/** What an account without a limit reports: the most that clients with 32-bit numbers can read. */
const UNLIMITED_CHARACTERS = 2 ** 31 - 1;

/** What accounts have used. */
export interface UserSources {
  standing(accountId: string): Promise<Standing>;
  /** Voices that the account has added. */
  countVoices(accountId: string): Promise<number>;
}

/** `GET /v1/user` and `/v1/user/subscription`: who calls, and what is left of their month. */
export function userRoutes(app: FastifyInstance, sources: UserSources): void {
  const subscriptionOf = async (accountId: string) => {
    const standing = await sources.standing(accountId);
    return { standing, record: subscription(standing, await sources.countVoices(accountId)) };
  };
  app.get(
    '/v1/user',
    {
      schema: {
        summary: 'Tell who calls',
        tags,
        access: { scope: 'user_read' },
        response: { 200: UserRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { standing, record } = await subscriptionOf(accountId);
      return user(standing, record);
    },
  );
  app.get(
    '/v1/user/subscription',
    {
      schema: {
        summary: 'Tell what the account may use, and has used',
        access: { scope: 'user_read' },
        tags,
        response: { 200: SubscriptionWithInvoices },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { record } = await subscriptionOf(accountId);
      return { ...record, ...INVOICES };
    },
  );
}

/** Strict clients fail on a missing key (PROTOCOL §3.6), hence those that mean nothing here. */
function user(
  { account }: Standing,
  subscriptionRecord: Static<typeof SubscriptionRecord>,
): Static<typeof UserRecord> {
  return {
    user_id: account.accountId,
    workspace_id: account.accountId,
    first_name: account.name,
    subscription: subscriptionRecord,
    is_new_user: false,
    can_use_delayed_payment_methods: false,
    is_onboarding_completed: true,
    is_onboarding_checklist_completed: true,
    show_compliance_terms: false,
    is_api_key_hashed: true,
    xi_api_key: null,
    xi_api_key_preview: null,
    referral_link_code: null,
    partnerstack_partner_default_link: null,
    created_at: toUnix(account.createdAtMs),
    seat_type: 'workspace_admin',
  };
}

function subscription(
  { account, usedCharacters, period }: Standing,
  voices: number,
): Static<typeof SubscriptionRecord> {
  const { tier, characterLimit } = account;
  const isUnlimited = characterLimit === null;
  return {
    tier,
    status: tier === 'free' ? 'free' : 'active',
    character_count: usedCharacters,
    character_limit: characterLimit ?? UNLIMITED_CHARACTERS,
    // How far the account may go beyond its limit by itself.
    max_character_limit_extension: isUnlimited ? null : 0,
    max_credit_limit_extension: isUnlimited ? 'unlimited' : 0,
    can_extend_character_limit: false,
    allowed_to_extend_character_limit: false,
    next_character_count_reset_unix: toUnix(period.endMs),
    voice_slots_used: voices,
    voice_limit: TIER_LIMITS[tier].voices,
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
  };
}

/** Nobody is billed by the server itself. */
const INVOICES = { next_invoice: null, open_invoices: [], has_open_invoices: false };

function toUnix(ms: number): number {
  return Math.floor(ms / 1000);
}
