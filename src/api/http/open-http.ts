import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import { storageRefusal } from '../../service/account/storage-refusal.ts';
import type { ErrorShape } from '../wire/error-shape.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { readSpelled, readSpelledQuery } from '../wire/spelled-values.ts';
import { discardBody } from './discard-body.ts';
import { EventLoopTurns } from './event-loop-turns.ts';
import { readJsonBodies } from './json-body.ts';
import { withoutQuery } from './log-options.ts';
import type { TlsPair } from './tls-files.ts';
import { refuseUnreadable } from './unreadable-request.ts';
import {
  SCHEMA_REFUSAL_STATUS,
  schemaError,
  schemaRefusal,
  unreadableBody,
  type ValidationDetail,
} from './validation-errors.ts';
import { type WireError, wireError } from './wire-error.ts';

/** Enough for any request but an upload; routes that take more say so. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** A client that takes longer than this to send a request is holding a connection open on purpose. */
const REQUEST_TIMEOUT_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const UNREADABLE_BODY_CODES: ReadonlySet<string> = new Set([
  'FST_ERR_CTP_INVALID_JSON_BODY',
  'FST_ERR_CTP_EMPTY_JSON_BODY',
  'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
]);

/**
 * The HTTP server, without routes and not yet listening. Every response carries the request's id;
 * every error has the body of the one error table; browsers may call from any origin (keys travel
 * in a header, never in cookies, so there is nothing for another site to borrow).
 *
 * @param logger a pino logger made with `logOptions`.
 * @param tls with it, the server speaks https and nothing else.
 */
export function openHttp(logger: FastifyBaseLogger, tls?: TlsPair): FastifyInstance {
  const app = Fastify({
    ...(tls && { https: { ...tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS } }),
    loggerInstance: logger,
    // Requests are logged by `logRequest` below: without headers or query, where keys are.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => randomUUID(),
    // Base URLs are typed with a slash at their end. `request.url`, which carriers sign, stays as sent.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // The validator would also make null of an empty text, nought of null and text of a number.
    ajv: { customOptions: { coerceTypes: false } },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error, request, reply) => {
      stamp(request, reply);
      sendError(reply, noSuchRoute(request));
    },
  });
  const turns = new EventLoopTurns();
  app.addHook('onRequest', (_request, _reply, done) => turns.enter(done));
  app.addHook('onRequest', async (request, reply) => {
    stamp(request, reply);
    return request.method === 'OPTIONS' ? allowCrossOrigin(request, reply) : undefined;
  });
  // What is addressed to nobody is not read.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) return sendError(reply, noSuchRoute(request));
    return undefined;
  });
  readJsonBodies(app, 'application/json');
  app.addHook('preValidation', (request, _reply, done) => {
    readSpelledParts(request);
    done();
  });
  // The records are what their schemas say: the tests hold every reply against them.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.addHook('onSend', async (request) => {
    if (!request.knownCaller && !request.ws) discardBody(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  app.setErrorHandler((error, request, reply) => refuse(error as FastifyError, request, reply));
  app.setNotFoundHandler((request, reply) => sendError(reply, noSuchRoute(request)));
  return app;
}

function stamp(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-trace-id': request.id,
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
  });
}

/** Browsers ask before they send a header such as xi-api-key (Fetch standard, CORS preflight). */
function allowCrossOrigin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = request.headers['access-control-request-headers'];
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': asked ?? '*',
      'access-control-max-age': '600',
    })
    .send();
}

/** Forms are read later, by the route that wants them. */
function readSpelledParts(request: FastifyRequest): void {
  const { params, querystring, body } = request.routeOptions.schema ?? {};
  if (params) request.params = readSpelled(request.params, params as JsonSchema);
  if (querystring) request.query = readSpelledQuery(request.query, querystring as JsonSchema);
  if (body) request.body = readSpelled(request.body, body as JsonSchema);
}

function refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const shape = request.routeOptions.schema?.errorShape;
  const details = unfitDetails(error, request);
  if (shape) {
    refuseInShape(
      shape,
      details ? schemaError(details) : knownError(error, request),
      request,
      reply,
    );
  } else if (details) {
    reply.code(SCHEMA_REFUSAL_STATUS).send({ detail: details });
  } else {
    const wire = wireError(knownError(error, request), request.id);
    logFailure(error, wire.http, request);
    sendError(reply, wire);
  }
}

/** As another vendor's wire tells it. */
function refuseInShape(
  shape: ErrorShape,
  thrown: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const error = toSpeechError(thrown);
  const http = shape.statusOf(error.code);
  logFailure(thrown, http, request);
  const { retryAfterS } = wireError(error, request.id);
  reply.headers(shape.headers?.(error, request.id) ?? {});
  sendError(reply, { http, body: shape.write(error, request.id), retryAfterS });
}

/** What is wrong with a request that its route's schema refuses, or that cannot be read. */
function unfitDetails(
  error: FastifyError,
  request: FastifyRequest,
): readonly ValidationDetail[] | undefined {
  if (error.validation) return schemaRefusal(error, request);
  return UNREADABLE_BODY_CODES.has(error.code) ? unreadableBody(error.message) : undefined;
}

function knownError(error: FastifyError, request: FastifyRequest): Error {
  return error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? bodyTooLarge(request.routeOptions.bodyLimit)
    : (storageRefusal(error) ?? error);
}

function logFailure(error: Error, http: number, request: FastifyRequest): void {
  if (http >= 500) request.log.error({ err: error.cause ?? error }, error.message);
}

function bodyTooLarge(limitBytes: number): SpeechError {
  const limit = limitBytes < 2 ** 20 ? `${limitBytes / 1024} KiB` : `${limitBytes / 2 ** 20} MiB`;
  return new SpeechError('message_too_big', `The request body is larger than ${limit}. Send less.`);
}

function noSuchRoute(request: FastifyRequest): WireError {
  const path = withoutQuery(request.url);
  return wireError(
    new SpeechError('not_found', `There is no ${request.method} ${path} here.`),
    request.id,
  );
}

function sendError(
  reply: FastifyReply,
  { http, body, retryAfterS }: Omit<WireError, 'body'> & { readonly body: object },
): FastifyReply {
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
  return reply.code(http).send(body);
}

/** Websockets are logged when they end, by those who know what happened on them. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.upgrade !== undefined && reply.statusCode === 200) return;
  // Load balancers ask every few seconds.
  const level = request.routeOptions.schema?.access === 'probe' ? 'debug' : 'info';
  request.log[level](
    {
      method: request.method,
      path: withoutQuery(request.url),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  );
}
