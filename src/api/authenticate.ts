import type { FastifyRequest } from 'fastify';
import type { Account } from '../domain/account.ts';
import { SpeechError } from '../domain/errors.ts';

/** Names the caller of a key. */
export interface KeyChecker {
  /** @throws SpeechError `authentication_required`, `invalid_api_key`. */
  authenticate(secret: string | undefined): Promise<Account>;
}

/**
 * The account that a REST request is made for. Handlers call it first: a schema that refuses the
 * request speaks before the key does (PROTOCOL §3.2, order of checks).
 *
 * @throws SpeechError `authentication_required`, `invalid_api_key`.
 */
export async function callerOf(request: FastifyRequest, keys: KeyChecker): Promise<Account> {
  const { 'xi-api-key': key, authorization } = request.headers;
  if (key === undefined && authorization !== undefined) {
    throw new SpeechError(
      'authentication_required',
      'Send the API key in the xi-api-key header; REST routes do not read Authorization.',
    );
  }
  return keys.authenticate(Array.isArray(key) ? key[0] : key);
}
