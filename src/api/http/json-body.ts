import type { FastifyInstance } from 'fastify';
import { jsonExcess } from '../../domain/bounded-json.ts';

/**
 * Reads bodies of a content type as Fastify reads JSON, but for those that would take long to read.
 * @param contentType `*` for all that have no parser of their own, those that do not say theirs included.
 */
export function readJsonBodies(app: FastifyInstance, contentType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(contentType, { parseAs: 'string' }, (request, body, done) => {
    const excess = jsonExcess(String(body));
    if (excess === undefined) void parse(request, String(body), done);
    else done(unreadable(`Body ${excess}`));
  });
}

function unreadable(message: string): Error {
  return Object.assign(new Error(message), { code: 'FST_ERR_CTP_INVALID_JSON_BODY' });
}
