import type { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openHttp } from './api/http/open-http.ts';
import { readTlsPair, TlsFiles } from './api/http/tls-files.ts';
import type { Config } from './config.ts';
import type { Own } from './open-service.ts';

/** The HTTP server; with TLS files, their renewals are taken over without closing a connection. */
export async function openServer(
  config: Config,
  logger: Logger,
  own: Own,
): Promise<FastifyInstance> {
  const { tlsCert: cert, tlsKey: key } = config;
  const paths = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const http = openHttp(logger, paths && (await readTlsPair(paths)));
  own(() => http.close());
  if (!paths) return http;
  const files = new TlsFiles({
    paths,
    onRenewed: (pair) => {
      (http.server as unknown as TlsServer).setSecureContext(pair);
      logger.info('TLS certificate renewed');
    },
    onSpoiled: (err) =>
      logger.warn({ err }, 'TLS files not taken over; the ones before stay in use'),
  });
  await files.start();
  own(async () => files.close());
  return http;
}
