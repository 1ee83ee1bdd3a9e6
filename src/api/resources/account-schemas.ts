import { Type } from 'typebox';
import { TIERS, type Tier } from '../../domain/account.ts';
import { nullable, UnixSeconds } from '../http/reply-schemas.ts';

export const AccountReply = Type.Object(
  {
    account_id: Type.String(),
    name: Type.String(),
    tier: Type.Unsafe<Tier>({ type: 'string', enum: TIERS }),
    character_limit: nullable(
      Type.Integer({ description: 'Characters a month; null without a limit.' }),
    ),
    concurrency_limit: nullable(
      Type.Integer({ description: 'Requests at once; null for as many as the server can.' }),
    ),
    created_at_unix: UnixSeconds('When it was made.'),
  },
  { title: 'Account' },
);

export const AccountListReply = Type.Object(
  { accounts: Type.Array(AccountReply) },
  { title: 'AccountList' },
);
