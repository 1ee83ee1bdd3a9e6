import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { lineOf } from '../addressee.ts';
import type { CarrierServices } from '../carrier-services.ts';
import type { AudioSocketCalls } from './audiosocket-calls.ts';

const SCHEMA = {
  summary: 'Announce a call that Asterisk is about to connect over AudioSocket',
  tags: ['Phone lines'],
  params: Type.Object({ line: Type.String({ description: 'The line that the call is for.' }) }),
  access: { scope: 'text_to_speech', door: 'carrier' } as const,
  errors: ['invalid_parameters', 'message_too_big', 'system_busy'] as const,
  response: {
    200: {
      description: 'The id to connect with, within the time that the JSON says.',
      content: {
        'text/plain': { schema: Type.String() },
        'application/json': {
          schema: Type.Object({ uuid: Type.String(), valid_for_ms: Type.Integer() }),
        },
      },
    },
  },
};

interface Announcement {
  Params: { line: string };
  Querystring: Readonly<Record<string, unknown>>;
  Body: unknown;
}

/**
 * Announces a call that an Asterisk is about to connect over AudioSocket. The answer is the id for
 * `AudioSocket(id,host:port)` as plain text, so that a dialplan can put `CURL()` in its place; as
 * JSON for those who ask for that. The query is what the call's bot is told: `from`, `to`, `call_id`
 * and anything else; `rate` is the channel's, where it is not 8000.
 */
export function audioSocketRoutes(
  app: FastifyInstance,
  services: Pick<CarrierServices, 'lines'> & { readonly calls: AudioSocketCalls },
): void {
  app.register(async (scope) => {
    // What CURL() posts is a form, of which nothing is needed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4096 }, async () => undefined);
    scope.route<Announcement>({
      // CURL() without something to post is a GET.
      method: ['GET', 'POST'],
      url: '/v1/lines/:line/audiosocket/call',
      schema: SCHEMA,
      handler: async (request, reply) => {
        const { caller } = request;
        const line = lineOf(services, request.params.line);
        const parameters = request.query;
        const { uuid, validForMs } = services.calls.announce({ line, caller, parameters });
        reply.header('cache-control', 'no-store');
        if (!/\bapplication\/json\b/i.test(request.headers.accept ?? '')) {
          return reply.type('text/plain; charset=utf-8').send(uuid);
        }
        return { uuid, valid_for_ms: validForMs };
      },
    });
  });
}
