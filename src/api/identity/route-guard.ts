import type { FastifyRequest } from 'fastify';
import type { Caller, Credentials, TokenPurpose } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import { hashSecret } from '../../service/account/api-key.ts';
import type { RequestOrigin } from '../../service/account/authenticator.ts';
import type { RequestRoute } from '../../service/account/client-address.ts';

import type { Access, KeyAccess } from './access.ts';
import { assertOperator } from './grants.ts';
import { requestCredentials } from './key-places.ts';
import type { RateLimits } from './rate-limits.ts';

export interface RouteGuardOptions {
  /** @throws SpeechError `authentication_required`, `invalid_api_key`, `ip_not_allowed`, `missing_permissions`. */
  readonly authenticate: (secret: string | undefined, origin: RequestOrigin) => Promise<Caller>;
  /** Uses a single-use token up. @throws SpeechError `invalid_api_key`. */
  readonly redeem: (token: string, purposes: readonly TokenPurpose[]) => Promise<Caller>;
  /** Without them, everybody may ask as often as they like. */
  readonly rateLimits?: RateLimits;
  /** The address that a request comes from, as far as it can be believed. */
  readonly addressOf?: (route: RequestRoute) => string | undefined;
  /** Told of each connection on which a caller has been recognised. */
  readonly onRecognised?: (request: FastifyRequest) => void;
}

/** Keys as the original makes them. Of these, unlike all others, it says 400 (PROTOCOL §3.2). */
const FOREIGN_KEY = /^sk_[0-9a-f]{48}$/;
/** Lets requests in by what their routes declare, before their bodies are read. */
export class RouteGuard {
  readonly #options: RouteGuardOptions;
  /** Callers of websockets that gave a key with the handshake, and are told later if it is wrong. */
  readonly #early = new WeakMap<FastifyRequest, Promise<Caller>>();

  constructor(options: RouteGuardOptions) {
    this.#options = options;
  }

  /**
   * Checks a request that has just come in.
   * @returns the caller, where the route asks for one at once and there is one.
   * @throws SpeechError that refuses the request, and everybody where the route declares nothing.
   */
  async enter(request: FastifyRequest): Promise<Caller | undefined> {
    const access = accessOf(request);
    if (access === 'probe') return undefined;
    if (access === 'public') {
      await this.#options.rateLimits?.countKeyless(this.#address(request));
      return undefined;
    }
    switch (access.key ?? 'required') {
      case 'required':
        return this.identify(request);
      case 'optional':
        return this.#identifyIfAny(request);
      case 'later':
        return this.#enterUpgrade(request, access);
    }
  }

  /**
   * Who makes a request.
   * @param given what came after the request itself, such as with a websocket's first message. It
   *   counts more than what the request carries.
   * @throws SpeechError `authentication_required`, `invalid_api_key`, `malformed_api_key`,
   *   `ip_not_allowed`, `missing_permissions`, `rate_limit_exceeded`.
   */
  async identify(request: FastifyRequest, given?: Partial<Credentials>): Promise<Caller> {
    const known = request.knownCaller ?? this.#early.get(request);
    if (known) return known;
    const access = accessOf(request);
    if (typeof access === 'string') throw new Error('This route is for everybody.');
    const carried = requestCredentials(request, access.door ?? 'rest');
    const caller = await this.#check(request, access, {
      key: given?.key ?? carried.key,
      token: given?.token ?? carried.token,
    });
    if (access.operator) assertOperator(caller);
    this.#options.onRecognised?.(request);
    return caller;
  }

  async #identifyIfAny(request: FastifyRequest): Promise<Caller | undefined> {
    try {
      return await this.identify(request);
    } catch (thrown) {
      if (thrown instanceof SpeechError && thrown.code === 'authentication_required') {
        return undefined;
      }
      throw thrown;
    }
  }

  /**
   * A websocket is opened whatever its key is, since its client is told inside what is wrong. Only
   * too many of them are refused before.
   */
  async #enterUpgrade(request: FastifyRequest, access: KeyAccess): Promise<Caller | undefined> {
    const { door } = access;
    if ((door !== 'socket' && door !== 'cartesia') || !request.ws) return undefined;
    const { key, token } = requestCredentials(request, door);
    if (key === undefined && token === undefined) {
      await this.#options.rateLimits?.assertMayTry(this.#address(request));
      return undefined;
    }
    const caller = this.identify(request);
    this.#early.set(request, caller);
    try {
      return await caller;
    } catch (thrown) {
      if (thrown instanceof SpeechError && thrown.code === 'rate_limit_exceeded') throw thrown;
      return undefined;
    }
  }

  async #check(
    request: FastifyRequest,
    access: KeyAccess,
    { key, token }: Credentials,
  ): Promise<Caller> {
    const { rateLimits, redeem } = this.#options;
    const address = this.#address(request);
    const secretHash = hashSecret(token ?? key ?? '');
    await rateLimits?.assertMayTry(address, secretHash);
    let caller: Caller;
    try {
      caller =
        token !== undefined && access.tokens !== undefined
          ? await redeem(token, access.tokens)
          : await this.#checkKey(request, access, key);
    } catch (thrown) {
      if (!(thrown instanceof SpeechError)) throw thrown;
      const isValid = thrown.code === 'missing_permissions';
      await (isValid ? rateLimits?.countKeyed(secretHash) : rateLimits?.countKeyless(address));
      throw thrown;
    }
    await rateLimits?.countKeyed(caller.keyHash);
    return caller;
  }

  async #checkKey(
    request: FastifyRequest,
    { door = 'rest', scope, withoutKey }: KeyAccess,
    key: string | undefined,
  ): Promise<Caller> {
    try {
      return await this.#options.authenticate(key, { ...routeOf(request), scope });
    } catch (thrown) {
      if (!(thrown instanceof SpeechError)) throw thrown;
      if (thrown.code === 'authentication_required' && withoutKey) {
        const { code = thrown.code, message = thrown.message } = withoutKey;
        throw new SpeechError(code, message, { cause: thrown });
      }
      const isForeign = thrown.code === 'invalid_api_key' && FOREIGN_KEY.test(key ?? '');
      if (door !== 'rest' || !isForeign) throw thrown;
      throw new SpeechError(
        'malformed_api_key',
        'This API key was made by another service. Make one here with "sidetone keys create".',
        { param: 'api_key', cause: thrown },
      );
    }
  }

  #address(request: FastifyRequest): string | undefined {
    const route = routeOf(request);
    return this.#options.addressOf?.(route) ?? route.peerAddress;
  }
}

/** @throws SpeechError `missing_permissions` for a route that does not say who may call it. */
function accessOf(request: FastifyRequest): Access {
  const access = request.routeOptions.schema?.access;
  if (access !== undefined) return access;
  throw new SpeechError('missing_permissions', 'Nobody may call this address.');
}

function routeOf({ headers, socket }: FastifyRequest): RequestRoute {
  const forwardedFor = headers['x-forwarded-for'];
  return {
    peerAddress: socket.remoteAddress,
    forwardedFor: Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
  };
}
