import 'fastify';

declare module 'fastify' {
  /** What the description of a route says beside the shapes that it accepts (OpenAPI 3.1, operation object). */
  interface FastifySchema {
    summary?: string;
    description?: string;
    tags?: readonly string[];
  }
}
