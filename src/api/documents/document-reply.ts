import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-style.ts';
import type { RenderedDocument } from './rendered-document.ts';
import { askedUrlOf } from './server-addresses.ts';

/** A page may run its own style and script, load nothing and be shown in no frame (CSP level 3). */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src '${sha256(PAGE_STYLE)}'`,
  `script-src '${sha256(PAGE_SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const NOT_MODIFIED = 304;

/** What routes of documents answer, for their schemas. */
export const UNCHANGED = { description: 'As the ETag of If-None-Match says.', content: {} };
export const PAGE = {
  description: 'The page.',
  content: { 'text/html': { schema: { type: 'string' } } },
};

/** Answers with a page for people. */
export function sendPage(
  page: RenderedDocument,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
  return sendDocument(page, request, reply.type('text/html; charset=utf-8'));
}

/** Answers with a document, or with nothing when the caller has it already. */
export function sendDocument(
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
