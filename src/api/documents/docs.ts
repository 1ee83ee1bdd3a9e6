import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AsyncApiDocument } from './asyncapi-document.ts';
import { atAddresses, openApiDocument } from './openapi.ts';
import type { DescribedRoute } from './openapi-routes.ts';
import { docsPage } from './page.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-style.ts';
import { RenderedDocument } from './rendered-document.ts';
import {
  askedUrlOf,
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

/** The page may run its own style and script, load nothing and be shown in no frame (CSP level 3). */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src '${sha256(PAGE_STYLE)}'`,
  `script-src '${sha256(PAGE_SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_MODIFIED = 304;
const tags = ['Documents'];
const DOCUMENT = { type: 'object' };
const UNCHANGED = { description: 'As the ETag of If-None-Match says.', content: {} };
const PAGE = { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } };

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
    (request, reply) => send(openApi, request, reply.type(JSON_TYPE)),
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
    (request, reply) => send(asyncApi, request, reply.type(JSON_TYPE)),
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
    (request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      return send(page, request, reply.type('text/html; charset=utf-8'));
    },
  );
  // Rendering takes as long as a frame of audio, so it is done before anybody speaks.
  app.addHook('onReady', async () => {
    for (const document of [openApi, asyncApi, page]) document.render();
  });
}

function send(
  document: RenderedDocument,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const askedUrl = askedUrlOf(request);
  const etag = document.etag(askedUrl);
  // An answer names the address it was asked at; caches in between know it by its host alone.
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'x-forwarded-proto' });
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim());
  if (known?.includes(etag)) return reply.code(NOT_MODIFIED).send();
  return reply.send(Buffer.from(document.at(askedUrl)));
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
