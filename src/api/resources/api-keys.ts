import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ApiKey, GrantedScopes } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import { CONFIGURED_KEY_ID, type KeyRing, type NewKey } from '../../service/account/key-ring.ts';
import { callerOf, type KeyChecker } from '../http/authenticate.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { assertOperator } from './accounts.ts';
import {
  AccountQuery,
  assertAddressRanges,
  KeyChangesBody,
  KeyListRecord,
  KeyParams,
  KeyRecord,
  NewKeyBody,
  NewKeyRecord,
  settingsOf,
} from './api-key-schemas.ts';

const PATH = '/v1/workspace/api-keys';
const ONE = `${PATH}/:api_key_id`;
const tags = ['API keys'];

/** Whose keys a request is about, and what it may grant. */
interface Administration {
  readonly accountId: string;
  readonly grantable: GrantedScopes;
}

/**
 * Making, listing, changing, rotating and revoking API keys. A secret is in the reply to its making,
 * and nowhere else. Keys administer those of their own account, up to the scopes that they have.
 */
export function apiKeysRoutes(app: FastifyInstance, keys: KeyChecker, keyRing: KeyRing): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = AccountQuery;
  typed.post(
    PATH,
    {
      schema: {
        summary: 'Make an API key',
        tags,
        body: NewKeyBody,
        querystring,
        errors: ['not_found', 'account_limit_reached'],
        response: { 200: NewKeyRecord },
      },
    },
    async (request, reply) => {
      assertAddressRanges(request.body);
      const { accountId, grantable } = await administration(request, keys);
      const settings = settingsOf(request.body);
      assertGrantable(grantable, settings.scopes ?? 'all');
      const made = await keyRing.create(accountId, request.body.name, settings);
      reply.header('cache-control', 'no-store');
      return newKeyRecord(made, 0);
    },
  );
  typed.get(
    PATH,
    {
      schema: {
        summary: 'List the API keys',
        tags,
        querystring,
        response: { 200: KeyListRecord },
      },
    },
    async (request) => {
      const { accountId } = await administration(request, keys);
      const used = await keyRing.usedCharacters(accountId);
      const listed = await keyRing.list(accountId);
      return { api_keys: listed.map((key) => keyRecord(key, used.get(key.keyId) ?? 0)) };
    },
  );
  oneKeyRoutes(app, keys, keyRing);
}

function oneKeyRoutes(app: FastifyInstance, keys: KeyChecker, keyRing: KeyRing): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const one = {
    tags,
    params: KeyParams,
    querystring: AccountQuery,
    errors: ['not_found'] as const,
  };
  typed.patch(
    ONE,
    {
      schema: {
        summary: 'Change an API key: its name or limits',
        ...one,
        body: KeyChangesBody,
        response: { 200: KeyRecord },
      },
    },
    async (request) => {
      assertAddressRanges(request.body);
      const { accountId, grantable } = await administration(request, keys);
      const before = await storedKey(keyRing, accountId, request.params.api_key_id);
      const settings = settingsOf(request.body);
      assertGrantable(grantable, before.scopes);
      if (settings.scopes) assertGrantable(grantable, settings.scopes);
      const key = await keyRing.change(accountId, before.keyId, settings);
      return keyRecord(key ?? throwNotFound(before.keyId), await used(keyRing, before));
    },
  );
  typed.post(
    `${ONE}/rotate`,
    {
      schema: {
        summary: 'Give an API key a new secret; the old one is invalid at once',
        ...one,
        response: { 200: NewKeyRecord },
      },
    },
    async (request, reply) => {
      const { accountId, grantable } = await administration(request, keys);
      const before = await storedKey(keyRing, accountId, request.params.api_key_id);
      assertGrantable(grantable, before.scopes);
      const made = await keyRing.rotate(accountId, before.keyId);
      reply.header('cache-control', 'no-store');
      return newKeyRecord(made ?? throwNotFound(before.keyId), await used(keyRing, before));
    },
  );
  typed.delete(
    ONE,
    { schema: { summary: 'Revoke an API key', ...one, response: { 200: Done } } },
    async (request) => {
      const { accountId } = await administration(request, keys);
      const { keyId } = await storedKey(keyRing, accountId, request.params.api_key_id);
      if (await keyRing.revoke(accountId, keyId)) return DONE;
      return throwNotFound(keyId);
    },
  );
}

/** @throws SpeechError of `callerOf`; `missing_permissions` when the account is another's. */
async function administration(
  request: FastifyRequest<{ Querystring: { account_id?: string } }>,
  keys: KeyChecker,
): Promise<Administration> {
  const caller = await callerOf(request, keys);
  const accountId = request.query.account_id ?? caller.accountId;
  if (accountId !== caller.accountId) assertOperator(caller);
  return { accountId, grantable: caller.scopes };
}

/** @throws SpeechError `not_found`; `missing_permissions` for the key that the operator configured. */
async function storedKey(keyRing: KeyRing, accountId: string, keyId: string): Promise<ApiKey> {
  const key = (await keyRing.list(accountId)).find((listed) => listed.keyId === keyId);
  if (!key) return throwNotFound(keyId);
  if (keyId !== CONFIGURED_KEY_ID) return key;
  throw new SpeechError(
    'missing_permissions',
    'This key is set by SIDETONE_API_KEY. Change or remove that variable and restart the server.',
    { param: 'api_key_id' },
  );
}

function throwNotFound(keyId: string): never {
  throw new SpeechError('not_found', `There is no API key with the id "${keyId}".`, {
    param: 'api_key_id',
  });
}

/** Nobody hands out, or takes over, more than they have. */
function assertGrantable(grantable: GrantedScopes, scopes: GrantedScopes): void {
  if (grantable === 'all') return;
  const missing = scopes === 'all' ? 'all' : scopes.find((scope) => !grantable.includes(scope));
  if (missing === undefined) return;
  throw new SpeechError(
    'missing_permissions',
    missing === 'all'
      ? 'This API key is restricted, and cannot make or administer one that is not. Name the scopes.'
      : `This API key lacks the scope "${missing}", and cannot make or administer one that has it.`,
    { param: 'scopes' },
  );
}

async function used(keyRing: KeyRing, { accountId, keyId }: ApiKey): Promise<number> {
  return (await keyRing.usedCharacters(accountId)).get(keyId) ?? 0;
}

function newKeyRecord(
  { key, secret }: NewKey,
  usedCharacters: number,
): Static<typeof NewKeyRecord> {
  return { ...keyRecord(key, usedCharacters), api_key: secret };
}

function keyRecord(key: ApiKey, usedCharacters: number): Static<typeof KeyRecord> {
  return {
    api_key_id: key.keyId,
    name: key.name,
    last_four: key.lastFour,
    created_at_unix: Math.floor(key.createdAtMs / 1000),
    scopes: key.scopes === 'all' ? null : key.scopes,
    character_limit: key.characterLimit,
    character_count: usedCharacters,
    allowed_ips: key.allowedAddresses,
  };
}
