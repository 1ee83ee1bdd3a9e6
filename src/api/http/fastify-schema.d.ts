import 'fastify';
import type { ErrorCode } from '../../domain/errors.ts';
import type { RefusalWording } from './wire-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether it is answered while the server shuts down; see `HttpDrain`. */
    answersWhileDraining?: boolean;
  }

  /** What the description of a route says beside the shapes that it accepts and answers with. */
  interface FastifySchema {
    /** These three as in OpenAPI 3.1, operation object. */
    summary?: string;
    description?: string;
    tags?: readonly string[];
    /** Media type of the body; JSON unless given. */
    consumes?: string;
    /** What the route may refuse with, besides what every route of its kind may. */
    errors?: readonly ErrorCode[];
    /** How the route words its refusals, where that is not the way of all others. */
    refusals?: RefusalWording;
  }
}
