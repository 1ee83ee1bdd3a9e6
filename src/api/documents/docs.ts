import type { FastifyInstance } from 'fastify';
import type { AsyncApiDocument } from './asyncapi-document.ts';
import { PAGE, sendDocument, sendPage, UNCHANGED } from './document-reply.ts';
import { guideRoutes } from './guide-routes.ts';
import { atAddresses, openApiDocument } from './openapi.ts';
import type { DescribedRoute } from './openapi-routes.ts';
import { docsPage } from './page.ts';
import { RenderedDocument } from './rendered-document.ts';
import {
  type PublishedAddresses,
  type ServerAddress,
  serverAddresses,
} from './server-addresses.ts';

/** What the documents are made of. */
export interface DocsSources extends PublishedAddresses {
  /** Of the server. */
  readonly version: string;
  /** Every route, as `collectRoutes` gathers them; looked at when the server is ready. */
  readonly routes: readonly DescribedRoute[];
  /** Describes the websockets as they are reached at some addresses, of which the first is the usual. */
  readonly describeSockets: (addresses: readonly ServerAddress[]) => AsyncApiDocument;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const tags = ['Documents'];
const DOCUMENT = { type: 'object' };

/**
 * `GET /openapi.json` describes the HTTP routes for tools, `GET /asyncapi.json` the websockets, and
 * `GET /docs` both for people. They are public, and name the addresses of the settings, or else the
 * one that the caller used. Each is rendered once.
 */
export function docsRoutes(app: FastifyInstance, sources: DocsSources): void {
  const addresses = (askedUrl: string) => serverAddresses(askedUrl, sources);
  const routesAt = (askedUrl: string) =>
    atAddresses(openApiDocument(sources.routes, sources.version), addresses(askedUrl));
  const socketsAt = (askedUrl: string) => sources.describeSockets(addresses(askedUrl));
  const openApi = new RenderedDocument((url) => JSON.stringify(routesAt(url)));
  const asyncApi = new RenderedDocument((url) => JSON.stringify(socketsAt(url)));
  const page = new RenderedDocument((url) => docsPage(socketsAt(url), routesAt(url)));
  const open = { access: 'public', tags } as const;
  app.get(
    '/openapi.json',
    {
      schema: {
        ...open,
        summary: 'Describe the HTTP routes: OpenAPI 3.1',
        response: { 200: DOCUMENT, 304: UNCHANGED },
      },
    },
    (request, reply) => sendDocument(openApi, request, reply.type(JSON_TYPE)),
  );
  app.get(
    '/asyncapi.json',
    {
      schema: {
        ...open,
        summary: 'Describe the websockets: AsyncAPI 3.0',
        response: { 200: DOCUMENT, 304: UNCHANGED },
      },
    },
    (request, reply) => sendDocument(asyncApi, request, reply.type(JSON_TYPE)),
  );
  app.get(
    '/docs',
    {
      schema: {
        ...open,
        summary: 'Describe both for people',
        response: { 200: PAGE, 304: UNCHANGED },
      },
    },
    (request, reply) => sendPage(page, request, reply),
  );
  guideRoutes(app);
  // Rendering takes as long as a frame of audio, so it is done before anybody speaks.
  app.addHook('onReady', async () => {
    for (const document of [openApi, asyncApi, page]) document.render();
  });
}
