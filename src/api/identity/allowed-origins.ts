import type { FastifyInstance } from 'fastify';
import { SpeechError } from '../../domain/errors.ts';

/**
 * Refuses websockets of web pages from elsewhere. Programs that are no browsers send no `Origin`,
 * and are let in.
 * @param origins such as `https://app.example.com`; none allows every page.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins.map((origin) => origin.toLowerCase()));
  app.addHook('onRequest', async ({ ws, headers }) => {
    const { origin } = headers;
    if (!ws || origin === undefined || allowed.has(origin.toLowerCase())) return;
    throw new SpeechError(
      'origin_not_allowed',
      'Pages of this origin may not open websockets here. Add it to SIDETONE_ALLOWED_ORIGINS.',
    );
  });
}
