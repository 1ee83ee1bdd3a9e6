import type { FastifyInstance, FastifySchema } from 'fastify';
import { METHODS, type Method } from './openapi-document.ts';

/** A route as the OpenAPI document shows it. */
export interface DescribedRoute {
  readonly method: Method;
  /** With its parameters in braces, such as `/v1/voices/{voice_id}`. */
  readonly path: string;
  readonly schema: FastifySchema;
}

/**
 * Every HTTP route that the server gets from now on, with the very schemas that it validates with.
 * Websockets are left out, unless their address also answers plain requests: AsyncAPI describes them.
 *
 * @returns a list that grows with each route.
 */
export function collectRoutes(app: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema = {}, ...route }) => {
    const isSocket = 'wsHandler' in route || ('websocket' in route && route.websocket === true);
    if (isSocket && schema.response === undefined) return;
    for (const name of [method].flat()) {
      const known = METHODS.find((candidate) => candidate === name.toLowerCase());
      if (known) routes.push({ method: known, path: templateOf(url), schema });
    }
  });
  return routes;
}

/** A path as OpenAPI writes it. */
function templateOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}');
}
