import type { FastifyInstance } from 'fastify';
import type { TransferQuestion } from '../calls/transfers.ts';
import { carrierOf, lineOf } from './addressee.ts';
import type { CallDocument } from './call-document.ts';
import { queryText } from './call-parameters.ts';
import type { CarrierAuthenticator, CarrierRequest } from './carrier-authenticator.ts';
import { type CarrierQuestion, readQuestion } from './carrier-question.ts';
import type { CarrierServices } from './carrier-services.ts';
import { AFTER_SCHEMA, CALL_SCHEMA } from './document-schemas.ts';
import { followUpToken } from './follow-up-token.ts';
import { mediaAddress } from './public-address.ts';

interface DocumentRoute {
  Params: { readonly line: string; readonly carrier: string };
  Querystring: Readonly<Record<string, unknown>>;
}

/**
 * What carriers ask over HTTP: `…/call`, what to do with a call, and `…/after`, what follows once its
 * media stream has ended.
 */
export function documentRoutes(
  app: FastifyInstance,
  services: CarrierServices,
  authenticator: CarrierAuthenticator,
): void {
  // In a scope of its own, because of its parser: signatures are over the body as it came.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    const checkKey = async (request: CarrierRequest) => {
      const { line, carrier } = request.params;
      await authenticator.key(request, lineOf(services, line), carrierOf(carrier));
    };
    scope.route<DocumentRoute>({
      method: ['GET', 'POST'],
      url: '/v1/lines/:line/:carrier/call',
      schema: CALL_SCHEMA,
      onRequest: (request) => checkKey(request),
      handler: async (request, reply) => {
        const question = readQuestion(request, services);
        return send(reply, await setUp(request, question, { services, authenticator }));
      },
    });
    scope.route<DocumentRoute>({
      method: ['GET', 'POST'],
      url: '/v1/lines/:line/:carrier/after',
      schema: AFTER_SCHEMA,
      // The token of a document lets in by itself.
      onRequest: async (request) => {
        if (queryText(request.query, 'token') === undefined) await checkKey(request);
      },
      // Nobody else knows where the calls that end now were passed on to.
      config: { answersWhileDraining: true },
      handler: async (request, reply) => {
        const question = readQuestion(request, services);
        const asked = await transferQuestion(request, question, authenticator);
        const number = asked && services.mediaStreams.takeTransfer(asked);
        return send(reply, question.documents.after(number));
      },
    });
  });
}

async function setUp(
  request: CarrierRequest,
  question: CarrierQuestion,
  {
    services,
    authenticator,
  }: { readonly services: CarrierServices; readonly authenticator: CarrierAuthenticator },
): Promise<CallDocument> {
  const { line, carrier, documents, field } = question;
  const format = queryText(request.query, 'format');
  const caller = await authenticator.document(request, question, question, true);
  const address = authenticator.address(request);
  const path = `/v1/lines/${encodeURIComponent(line.lineId)}/${carrier.name}`;
  const token = await services.issueToken(caller);
  return documents.call({
    streamUrl: `${mediaAddress(address)}${path}`,
    afterUrl: `${address}${path}/after?token=${followUpToken(token)}`,
    token,
    carrierCallId: field(documents.fields.callId),
    from: field(documents.fields.from),
    to: field(documents.fields.to),
    format,
  });
}

/**
 * What call a carrier asks about. The token of a document says it, and lets in by itself; without
 * one, the carrier shows a key and asks in the name of its account.
 * @returns undefined when the request names no call.
 */
async function transferQuestion(
  request: CarrierRequest,
  question: CarrierQuestion,
  authenticator: CarrierAuthenticator,
): Promise<TransferQuestion | undefined> {
  const { line, carrier, documents, field } = question;
  const token = queryText(request.query, 'token');
  const { lineId } = line;
  if (token !== undefined && line.secrets[carrier.name] === undefined) {
    return { lineId, followUpToken: token };
  }
  const { accountId } = await authenticator.document(request, question, question, false);
  if (token !== undefined) return { lineId, followUpToken: token };
  const carrierCallId = queryText(request.query, 'call_id') ?? field(documents.fields.callId);
  return carrierCallId === undefined ? undefined : { accountId, lineId, carrierCallId };
}

interface Reply {
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}

function send(reply: Reply, { contentType, body }: CallDocument): unknown {
  return reply.header('content-type', contentType).header('cache-control', 'no-store').send(body);
}
