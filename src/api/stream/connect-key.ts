import type { IncomingHttpHeaders } from 'node:http';
import { text } from './connect-query.ts';

/** The part of a request that a key may stand in. */
export interface KeyedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
}

/** The key in any of the places where clients put it at connect (PROTOCOL §0). */
export function connectKey(request: KeyedRequest): string | undefined {
  const { headers } = request;
  const query = request.query as Readonly<Record<string, unknown>>;
  const candidates = [
    headers['xi-api-key'],
    headers.authorization,
    text(query, 'xi-api-key'),
    text(query, 'authorization'),
  ];
  // The space after "Bearer" is missing in what some versions of jambonz send.
  const given = candidates.find((candidate) => typeof candidate === 'string');
  return typeof given === 'string' ? given.replace(/^Bearer\s*/i, '') : undefined;
}
