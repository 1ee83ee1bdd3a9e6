import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AsyncApiDocument } from './docs/asyncapi-document.ts';
import { docsPage } from './docs/page.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './docs/page-style.ts';

/** Describes the websockets as they are reached at a base URL, such as `https://speech.example`. */
export type DescribeSockets = (baseUrl: string) => AsyncApiDocument;

/** The page may run its own style and script, and load nothing (CSP level 3, hash sources). */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src '${sha256(PAGE_STYLE)}'`,
  `script-src '${sha256(PAGE_SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * `GET /asyncapi.json`, the description of the websockets for tools, and `GET /docs`, the same for
 * people. Both are public, and both name the server as the caller reached it.
 */
export function docsRoutes(app: FastifyInstance, describeSockets: DescribeSockets): void {
  app.get('/asyncapi.json', async (request) => describeSockets(baseUrlOf(request)));
  app.get('/docs', async (request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.type('text/html; charset=utf-8');
    return docsPage(describeSockets(baseUrlOf(request)));
  });
}

/** A proxy that ends TLS says so; it is asked for nothing but how to write the address. */
function baseUrlOf({ headers, protocol, host }: FastifyRequest): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : protocol;
  const url = `${scheme}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
