import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { AsyncApiDocument } from './asyncapi-document.ts';
import { atAddresses, openApiDocument } from './openapi.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { DescribedRoute } from './openapi-routes.ts';
import { docsPage } from './page.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-style.ts';
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
  /** Every route, as `collectRoutes` gathers them; looked at when the first document is asked for. */
  readonly routes: readonly DescribedRoute[];
  /** Describes the websockets as they are reached at some addresses, of which the first is the usual. */
  readonly describeSockets: (addresses: readonly ServerAddress[]) => AsyncApiDocument;
}

/** The page may run its own style and script, and load nothing (CSP level 3, hash sources). */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src '${sha256(PAGE_STYLE)}'`,
  `script-src '${sha256(PAGE_SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
/** Stands in a page for the address that it is asked for at. */
const SOMEWHERE = 'http://somewhere.invalid';
const tags = ['Documents'];
const DOCUMENT = { type: 'object' };
const PAGE = { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } };

/**
 * `GET /openapi.json` describes the HTTP routes for tools, `GET /asyncapi.json` the websockets, and
 * `GET /docs` both for people. They are public, and name the addresses of the settings, or else the
 * one that the caller used.
 */
export function docsRoutes(app: FastifyInstance, sources: DocsSources): void {
  let described: Omit<OpenApiDocument, 'servers'> | undefined;
  const routesAt = (addresses: readonly ServerAddress[]) => {
    described ??= openApiDocument(sources.routes, sources.version);
    return atAddresses(described, addresses);
  };
  const addresses = (askedUrl: string) => serverAddresses(askedUrl, sources);
  const pageAt = pageWriter(() => {
    const somewhere = addresses(SOMEWHERE);
    return docsPage(sources.describeSockets(somewhere), routesAt(somewhere));
  });
  const open = { access: 'anybody', tags } as const;
  app.get(
    '/openapi.json',
    {
      schema: {
        ...open,
        summary: 'Describe the HTTP routes: OpenAPI 3.1',
        response: { 200: DOCUMENT },
      },
    },
    async (request) => routesAt(addresses(askedUrlOf(request))),
  );
  app.get(
    '/asyncapi.json',
    {
      schema: {
        ...open,
        summary: 'Describe the websockets: AsyncAPI 3.0',
        response: { 200: DOCUMENT },
      },
    },
    async (request) => sources.describeSockets(addresses(askedUrlOf(request))),
  );
  app.get(
    '/docs',
    { schema: { ...open, summary: 'Describe both for people', response: { 200: PAGE } } },
    async (request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      reply.type('text/html; charset=utf-8');
      return pageAt(askedUrlOf(request));
    },
  );
}

/**
 * Making the page takes as long as a frame of audio: it is made once, and only addresses are changed.
 * @param write makes the page for `SOMEWHERE`.
 */
function pageWriter(write: () => string): (askedUrl: string) => string {
  let page: string | undefined;
  return (askedUrl) => {
    page ??= write();
    const sockets = (url: string) => url.replace(/^http/, 'ws');
    return page.replaceAll(SOMEWHERE, askedUrl).replaceAll(sockets(SOMEWHERE), sockets(askedUrl));
  };
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
