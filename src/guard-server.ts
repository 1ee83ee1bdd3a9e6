import type { FastifyInstance } from 'fastify';
import { refuseConnection } from './api/http/unreadable-request.ts';
import { allowOrigins } from './api/identity/allowed-origins.ts';
import { ConnectionLimits } from './api/identity/connection-limits.ts';
import { guardRoutes } from './api/identity/guard-routes.ts';
import { RateLimits } from './api/identity/rate-limits.ts';
import type { Config } from './config.ts';
import type { Service } from './open-service.ts';
import { clientAddress } from './service/account/client-address.ts';

/** Decides who gets to the routes of a server: connections, web pages, rates, and keys. */
export function guardServer(
  http: FastifyInstance,
  config: Config,
  { authenticator, tokens, trustedProxies }: Service,
): void {
  const connections = new ConnectionLimits({
    maxConnections: config.maxConnections,
    maxUnknownPerAddress: config.maxConnectionsPerAddress,
    isTrustedProxy: (address) => trustedProxies.has(address),
    // What is said before a handshake would be no TLS.
    refuse: config.tlsCert === undefined ? refuseConnection : (_error, socket) => socket.destroy(),
  });
  connections.watch(http.server);
  allowOrigins(http, config.allowedOrigins);
  guardRoutes(http, {
    authenticate: (secret, origin) => authenticator.authenticate(secret, origin),
    redeem: (token, purposes) => tokens.redeem(token, purposes),
    rateLimits: new RateLimits({
      keylessPerMinute: config.rateLimitKeyless,
      keyedPerMinute: config.rateLimitKey,
    }),
    addressOf: (route) => clientAddress(route, trustedProxies),
    onRecognised: ({ raw }) => connections.recognise(raw.socket),
  });
}
