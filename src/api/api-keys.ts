import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { CONFIGURED_KEY_ID, type KeyRing } from '../account/key-ring.ts';
import type { ApiKey } from '../domain/account.ts';
import { SpeechError } from '../domain/errors.ts';
import { callerOf, type KeyChecker } from './authenticate.ts';

const PATH = '/v1/workspace/api-keys';
const NewKeyBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
const KeyParams = Type.Object({ api_key_id: Type.String() });

/** Making, listing and revoking API keys. The secret is in the reply to its making, and nowhere else. */
export function apiKeysRoutes(app: FastifyInstance, keys: KeyChecker, keyRing: KeyRing): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.post(PATH, { schema: { body: NewKeyBody } }, async (request, reply) => {
    const { accountId } = await callerOf(request, keys);
    const { key, secret } = await keyRing.create(accountId, request.body.name);
    reply.header('cache-control', 'no-store');
    return { ...keyRecord(key), api_key: secret };
  });
  typed.get(PATH, async (request) => {
    const { accountId } = await callerOf(request, keys);
    return { api_keys: (await keyRing.list(accountId)).map(keyRecord) };
  });
  typed.delete(`${PATH}/:api_key_id`, { schema: { params: KeyParams } }, async (request) => {
    const { accountId } = await callerOf(request, keys);
    const keyId = request.params.api_key_id;
    assertRevocable(keyId);
    if (await keyRing.revoke(accountId, keyId)) return { status: 'ok' };
    throw new SpeechError('not_found', `There is no API key with the id "${keyId}".`, {
      param: 'api_key_id',
    });
  });
}

function assertRevocable(keyId: string): void {
  if (keyId !== CONFIGURED_KEY_ID) return;
  throw new SpeechError(
    'missing_permissions',
    'This key is set by SIDETONE_API_KEY. Change or remove that variable and restart the server.',
    { param: 'api_key_id' },
  );
}

function keyRecord({ keyId, name, lastFour, createdAtMs }: ApiKey): object {
  return {
    api_key_id: keyId,
    name,
    last_four: lastFour,
    created_at_unix: Math.floor(createdAtMs / 1000),
  };
}
