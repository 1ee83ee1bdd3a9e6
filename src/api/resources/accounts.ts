import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { type AccountRecord, type Caller, TIERS, type Tier } from '../../domain/account.ts';
import type { Accounts, AccountWish } from '../../service/account/accounts.ts';
import { assertUnlimited } from '../identity/grants.ts';
import { AccountListReply, AccountReply } from './account-schemas.ts';

const PATH = '/v1/workspace/accounts';
const tags = ['Accounts'];
const READ = { scope: 'workspace_read', operator: true } as const;
const WRITE = { scope: 'workspace_write', operator: true } as const;

const AccountParams = Type.Object({
  account_id: Type.String({ description: 'The account; see GET /v1/workspace/accounts.' }),
});
const limit = (description: string, maximum: number) =>
  Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum, description }),
  );
const settings = {
  character_limit: limit(
    "Characters a month; null for no limit. The tier's number unless given.",
    Number.MAX_SAFE_INTEGER,
  ),
  concurrency_limit: limit(
    "Requests at once, twice as many for turbo models; null for as many as the server can. The tier's number unless given.",
    1_000_000,
  ),
};
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What to call it.',
  examples: ['Acme'],
});
const tier = Type.Unsafe<Tier>({
  type: 'string',
  enum: TIERS,
  description: 'Decides the limits that are not given, and which formats the account may have.',
});
const NewAccountBody = Type.Object({
  account_id: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      description: 'An id of your choice; one is made up unless given.',
    }),
  ),
  name,
  tier,
  ...settings,
});
const AccountChangesBody = Type.Object({
  name: Type.Optional(name),
  tier: Type.Optional(tier),
  ...settings,
});

interface WireAccountSettings {
  readonly name?: string;
  readonly tier?: Tier;
  readonly character_limit?: number | null;
  readonly concurrency_limit?: number | null;
}

/** Accounts and their limits, for the operator. */
export function accountsRoutes(app: FastifyInstance, accounts: Accounts): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.post(
    PATH,
    {
      schema: {
        summary: 'Make an account',
        tags,
        access: WRITE,
        body: NewAccountBody,
        errors: ['already_exists'],
        response: { 200: AccountReply },
      },
    },
    async (request) => {
      assertMayGrant(request.caller);
      const { account_id, name, tier } = request.body;
      return accountRecord(
        await accounts.create({ ...wishOf(request.body), name, tier }, account_id),
      );
    },
  );
  typed.get(
    PATH,
    {
      schema: {
        summary: 'List the accounts',
        tags,
        access: READ,
        response: { 200: AccountListReply },
      },
    },
    async () => {
      return { accounts: (await accounts.list()).map(accountRecord) };
    },
  );
  typed.get(
    `${PATH}/:account_id`,
    {
      schema: {
        summary: 'Tell about an account',
        tags,
        access: READ,
        params: AccountParams,
        errors: ['not_found'],
        response: { 200: AccountReply },
      },
    },
    async (request) => {
      return accountRecord(await accounts.find(request.params.account_id));
    },
  );
  typed.patch(
    `${PATH}/:account_id`,
    {
      schema: {
        summary: 'Change an account: its name, tier or limits',
        tags,
        access: WRITE,
        params: AccountParams,
        body: AccountChangesBody,
        errors: ['not_found'],
        response: { 200: AccountReply },
      },
    },
    async (request) => {
      assertMayGrant(request.caller);
      return accountRecord(await accounts.change(request.params.account_id, wishOf(request.body)));
    },
  );
}

/** A key that may spend so much gives nobody more. @throws SpeechError `missing_permissions`. */
function assertMayGrant({ bounds }: Caller): void {
  assertUnlimited({ characterLimit: bounds?.keyLimit ?? null });
}

function wishOf(body: WireAccountSettings): AccountWish {
  return {
    name: body.name,
    tier: body.tier,
    characterLimit: body.character_limit,
    concurrencyLimit: body.concurrency_limit,
  };
}

function accountRecord(account: AccountRecord): Static<typeof AccountReply> {
  return {
    account_id: account.accountId,
    name: account.name,
    tier: account.tier,
    character_limit: account.characterLimit,
    concurrency_limit: account.concurrencyLimit,
    created_at_unix: Math.floor(account.createdAtMs / 1000),
  };
}
