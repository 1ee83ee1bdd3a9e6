import { Type } from 'typebox';
import { TIERS, type Tier } from '../../domain/account.ts';
import { nullable, UnixSeconds, Unused } from '../http/reply-schemas.ts';

const subscriptionFields = {
  tier: Type.Unsafe<Tier>({ type: 'string', enum: TIERS }),
  status: Type.String(),
  character_count: Type.Integer({ description: 'Characters used this month.' }),
  character_limit: Type.Integer({
    description: 'Characters a month; 2147483647 when nothing limits them.',
  }),
  max_character_limit_extension: nullable(Type.Integer()),
  max_credit_limit_extension: Type.Union([Type.Integer(), Type.Literal('unlimited')]),
  can_extend_character_limit: Type.Boolean(),
  allowed_to_extend_character_limit: Type.Boolean(),
  next_character_count_reset_unix: UnixSeconds('When the count starts afresh.'),
  voice_slots_used: Type.Integer({ description: 'Voices that the account has added.' }),
  voice_limit: Type.Integer({ description: 'Voices that it may add.' }),
  max_voice_add_edits: Unused(),
  voice_add_edit_counter: Type.Integer(),
  can_extend_voice_limit: Type.Boolean(),
  can_use_instant_voice_cloning: Type.Boolean(),
  professional_voice_slots_used: Type.Integer(),
  professional_voice_slots_used_in_workspace: Type.Integer(),
  professional_voice_limit: Type.Integer(),
  can_use_professional_voice_cloning: Type.Boolean(),
  current_overage: Type.Object({ amount: Type.String(), currency: Type.String() }),
  currency: Unused(),
  billing_period: Type.String(),
  character_refresh_period: Type.String(),
};

export const SubscriptionRecord = Type.Object(subscriptionFields, { title: 'Subscription' });

export const SubscriptionWithInvoices = Type.Object(
  {
    ...subscriptionFields,
    next_invoice: Unused(),
    open_invoices: Type.Array(Type.Unknown()),
    has_open_invoices: Type.Boolean(),
  },
  { title: 'SubscriptionWithInvoices' },
);

export const UserRecord = Type.Object(
  {
    user_id: Type.String({ description: 'The account.' }),
    workspace_id: Type.String(),
    first_name: Type.String(),
    subscription: SubscriptionRecord,
    is_new_user: Type.Boolean(),
    can_use_delayed_payment_methods: Type.Boolean(),
    is_onboarding_completed: Type.Boolean(),
    is_onboarding_checklist_completed: Type.Boolean(),
    show_compliance_terms: Type.Boolean(),
    is_api_key_hashed: Type.Boolean(),
    xi_api_key: Unused(),
    xi_api_key_preview: Unused(),
    referral_link_code: Unused(),
    partnerstack_partner_default_link: Unused(),
    created_at: UnixSeconds('When the account was made.'),
    seat_type: Type.String(),
  },
  { title: 'User' },
);
