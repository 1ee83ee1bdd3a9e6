import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import { RouteGuard, type RouteGuardOptions } from './route-guard.ts';

/**
 * Lets every request to a route of this server in by what the route declares (`access` in its
 * schema), and tells handlers who makes it: `request.caller`. To be called before routes are added,
 * and after `openSockets`.
 */
export function guardRoutes(app: FastifyInstance, options: RouteGuardOptions): void {
  const guard = new RouteGuard(options);
  app.decorateRequest('knownCaller', undefined);
  app.decorateRequest('caller', {
    getter(): Caller {
      if (this.knownCaller) return this.knownCaller;
      throw new Error('This route lets in callers without a key: use knownCaller or identify.');
    },
  });
  app.decorateRequest('identify', async function (given) {
    this.knownCaller = await guard.identify(this, given);
    return this.knownCaller;
  });
  app.decorateRequest('vouch', function (caller) {
    this.knownCaller = caller;
    options.onRecognised?.(this);
  });
  app.addHook('onRequest', async (request) => {
    if (!request.is404) request.knownCaller = await guard.enter(request);
  });
}
