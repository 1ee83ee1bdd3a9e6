import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { RequestOrigin } from '../../service/account/authenticator.ts';
import { endpointScope } from '../../service/account/endpoint-scopes.ts';

/** Names the caller of a key. */
export interface KeyChecker {
  /**
   * @throws SpeechError `authentication_required`, `invalid_api_key`, `ip_not_allowed`,
   *   `missing_permissions`.
   */
  authenticate(secret: string | undefined, origin: RequestOrigin): Promise<Caller>;
}

/** Keys as the original makes them. Of these, unlike all others, it says 400 (PROTOCOL §3.2). */
const FOREIGN_KEY = /^sk_[0-9a-f]{48}$/;

/**
 * Who makes a REST request; may the key be used for it, and from there. Handlers call it first: a
 * schema that refuses the request speaks before the key does (PROTOCOL §3.2, order of checks).
 *
 * @throws SpeechError `authentication_required`, `invalid_authorization_header`, `invalid_api_key`,
 *   `malformed_api_key`, `ip_not_allowed`, `missing_permissions`.
 */
export async function callerOf(request: FastifyRequest, keys: KeyChecker): Promise<Caller> {
  const { 'xi-api-key': header, authorization } = request.headers;
  if (header === undefined && authorization !== undefined) {
    throw new SpeechError(
      'invalid_authorization_header',
      'Send the API key in the xi-api-key header; REST routes do not read Authorization.',
    );
  }
  const secret = Array.isArray(header) ? header[0] : header;
  try {
    return await keys.authenticate(secret, originOf(request));
  } catch (thrown) {
    const isWrong = thrown instanceof SpeechError && thrown.code === 'invalid_api_key';
    if (!isWrong || !FOREIGN_KEY.test(secret ?? '')) throw thrown;
    throw new SpeechError(
      'malformed_api_key',
      'This API key was made by another service. Make one here with "sidetone keys create".',
      { param: 'api_key', cause: thrown },
    );
  }
}

/** What a request asks for and where it comes from, websocket upgrades included. */
export function originOf(request: FastifyRequest): RequestOrigin {
  const { method, headers, socket, routeOptions } = request;
  const forwardedFor = headers['x-forwarded-for'];
  return {
    peerAddress: socket.remoteAddress,
    forwardedFor: Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
    scope: endpointScope(method, routeOptions.url ?? ''),
  };
}
