import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { ApiKey, KeySettings } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import {
  type ApiKeyRegistry,
  CONFIGURED_KEY_ID,
  type NewKey,
  UNRESTRICTED,
} from '../../service/account/api-key-registry.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import { assertOperator, assertUnlimited, assertWithin } from '../identity/grants.ts';
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

const READ = { scope: 'workspace_read' } as const;
const WRITE = { scope: 'workspace_write' } as const;

/** Whose keys a request is about, and the key that it is made with. */
interface Administration {
  readonly accountId: string;
  readonly own: ApiKey;
}

/**
 * Making, listing, changing, rotating and revoking API keys. A secret is in the reply to its making,
 * and nowhere else. Keys administer those of their own account that have no more than they have.
 */
export function apiKeysRoutes(app: FastifyInstance, apiKeyRegistry: ApiKeyRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = AccountQuery;
  typed.post(
    PATH,
    {
      schema: {
        summary: 'Make an API key',
        tags,
        access: WRITE,
        body: NewKeyBody,
        querystring,
        errors: ['not_found', 'account_limit_reached'],
        response: { 200: NewKeyRecord },
      },
    },
    async (request, reply) => {
      assertAddressRanges(request.body);
      const { accountId, own } = await administration(request, apiKeyRegistry);
      const settings = { ...UNRESTRICTED, ...settingsOf(request.body) };
      assertWithin(own, settings);
      assertUnlimited(own);
      const made = await apiKeyRegistry.create(accountId, request.body.name, settings);
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
        access: READ,
        querystring,
        response: { 200: KeyListRecord },
      },
    },
    async (request) => {
      const { accountId } = await administration(request, apiKeyRegistry);
      const used = await apiKeyRegistry.usedCharacters(accountId);
      const listed = await apiKeyRegistry.list(accountId);
      return { api_keys: listed.map((key) => keyRecord(key, used.get(key.keyId) ?? 0)) };
    },
  );
  oneKeyRoutes(app, apiKeyRegistry);
}

function oneKeyRoutes(app: FastifyInstance, apiKeyRegistry: ApiKeyRegistry): void {
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
        access: WRITE,
        body: KeyChangesBody,
        response: { 200: KeyRecord },
      },
    },
    async (request) => {
      assertAddressRanges(request.body);
      const { accountId, own } = await administration(request, apiKeyRegistry);
      const before = await storedKey(apiKeyRegistry, accountId, request.params.api_key_id);
      const settings = settingsOf(request.body);
      assertWithin(own, before);
      assertWithin(own, { ...before, ...settings });
      if (raisesLimit(before, settings)) assertUnlimited(own);
      const key = await apiKeyRegistry.change(accountId, before.keyId, settings);
      return keyRecord(key ?? throwNotFound(before.keyId), await used(apiKeyRegistry, before));
    },
  );
  typed.post(
    `${ONE}/rotate`,
    {
      schema: {
        summary: 'Give an API key a new secret; the old one is invalid at once',
        ...one,
        access: WRITE,
        response: { 200: NewKeyRecord },
      },
    },
    async (request, reply) => {
      const { accountId, own } = await administration(request, apiKeyRegistry);
      const before = await storedKey(apiKeyRegistry, accountId, request.params.api_key_id);
      assertWithin(own, before);
      if (before.keyId !== own.keyId) assertUnlimited(own);
      const made = await apiKeyRegistry.rotate(accountId, before.keyId);
      reply.header('cache-control', 'no-store');
      return newKeyRecord(made ?? throwNotFound(before.keyId), await used(apiKeyRegistry, before));
    },
  );
  typed.delete(
    ONE,
    {
      schema: { summary: 'Revoke an API key', ...one, access: WRITE, response: { 200: Done } },
    },
    async (request) => {
      const { accountId, own } = await administration(request, apiKeyRegistry);
      const before = await storedKey(apiKeyRegistry, accountId, request.params.api_key_id);
      assertWithin(own, before);
      if (await apiKeyRegistry.revoke(accountId, before.keyId)) return DONE;
      return throwNotFound(before.keyId);
    },
  );
}

/** @throws SpeechError `missing_permissions` when the account is another's. */
async function administration(
  { caller, query }: FastifyRequest<{ Querystring: { account_id?: string } }>,
  apiKeyRegistry: ApiKeyRegistry,
): Promise<Administration> {
  const accountId = query.account_id ?? caller.accountId;
  if (accountId !== caller.accountId) assertOperator(caller);
  return { accountId, own: (await apiKeyRegistry.findById(caller.keyId)).key };
}

/** Whether a key may spend more once it is changed. */
function raisesLimit(before: ApiKey, { characterLimit }: Partial<KeySettings>): boolean {
  if (characterLimit === undefined || before.characterLimit === null) return false;
  return characterLimit === null || characterLimit > before.characterLimit;
}

/** @throws SpeechError `not_found`; `missing_permissions` for the key that the operator configured. */
async function storedKey(
  apiKeyRegistry: ApiKeyRegistry,
  accountId: string,
  keyId: string,
): Promise<ApiKey> {
  const key = (await apiKeyRegistry.list(accountId)).find((listed) => listed.keyId === keyId);
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

async function used(apiKeyRegistry: ApiKeyRegistry, { accountId, keyId }: ApiKey): Promise<number> {
  return (await apiKeyRegistry.usedCharacters(accountId)).get(keyId) ?? 0;
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
