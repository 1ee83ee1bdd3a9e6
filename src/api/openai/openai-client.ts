import type { FastifyInstance } from 'fastify';

const NAME = 'client';
const OPENAI = 'openai';

/** Of a route that stands at an address of the first wire, for clients of OpenAI alone. */
export const OPENAI_CLIENT = { [NAME]: OPENAI };

/**
 * Lets two routes share an address. Clients of OpenAI bring their key in `Authorization: Bearer` and no
 * `xi-api-key`, which is how those of the first wire bring theirs; nothing else tells all of them apart.
 */
export function tellClientsApart(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: NAME,
    storage: () => {
      const routes = new Map<unknown, unknown>();
      return {
        get: (client) => (routes.get(client) ?? null) as never,
        set: (client, route) => void routes.set(client, route),
      };
    },
    validate: () => undefined,
    deriveConstraint: ({ headers }) =>
      /^Bearer\s/i.test(headers.authorization ?? '') && !headers['xi-api-key'] ? OPENAI : '',
  });
}
