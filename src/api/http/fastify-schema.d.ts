import 'fastify';
import type { ErrorCode } from '../../domain/errors.ts';
import type { ErrorShape } from '../wire/error-shape.ts';

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
    /** Made of method and path unless given; for a path that differs from another by its version alone. */
    operationId?: string;
    /** Media type of the body; JSON unless given. */
    consumes?: string;
    /** What the route may refuse with, besides what every route of its kind may. */
    errors?: readonly ErrorCode[];
    /** How it tells of errors; as the first wire unless given. */
    errorShape?: ErrorShape;
  }
}
