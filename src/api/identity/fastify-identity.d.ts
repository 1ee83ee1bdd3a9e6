import 'fastify';
import type { Caller, Credentials } from '../../domain/account.ts';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Who may call the route. Without it, nobody. */
    access?: Access;
  }

  interface FastifyRequest {
    /** Who makes the request; on routes where a key is required, or has been looked at. */
    readonly caller: Caller;
    /** The same; undefined where the caller is nobody, or not known yet. */
    knownCaller: Caller | undefined;
    /**
     * Finds out who makes the request, on routes that let callers in before their key is known.
     * @param given a key or token that came later than the request itself; it counts more.
     * @throws SpeechError of `RouteGuard.identify`.
     */
    identify(given?: Partial<Credentials>): Promise<Caller>;
    /** Takes a caller as known who proved otherwise who they are, such as by a signature. */
    vouch(caller: Caller): void;
  }
}
