import type { FastifyInstance } from 'fastify';
import type { Carrier } from '../calls/carrier.ts';
import type { Line } from '../calls/line.ts';
import { type Admission, type CarrierRequest, requestKey } from './admission.ts';
import type { CallDocument } from './call-document.ts';
import { queryText } from './call-parameters.ts';
import { type CarrierQuestion, readQuestion } from './carrier-question.ts';
import type { CarrierServices } from './carrier-services.ts';
import { AFTER_SCHEMA, CALL_SCHEMA } from './document-schemas.ts';
import { mediaAddress } from './public-address.ts';

interface DocumentRoute {
  Params: { readonly line: string; readonly carrier: string };
  Querystring: Readonly<Record<string, unknown>>;
}

interface AfterCall {
  readonly line: Line;
  readonly carrier: Carrier;
  readonly carrierCallId: string | undefined;
}

/**
 * What carriers ask over HTTP: `…/call`, what to do with a call, and `…/after`, what follows once its
 * media stream has ended.
 */
export function documentRoutes(
  app: FastifyInstance,
  services: CarrierServices,
  admission: Admission,
): void {
  // In a scope of its own, because of its parser: signatures are over the body as it came.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.route<DocumentRoute>({
      method: ['GET', 'POST'],
      url: '/v1/lines/:line/:carrier/call',
      schema: CALL_SCHEMA,
      handler: async (request, reply) => {
        const question = readQuestion(request, services);
        return send(reply, await setUp(request, question, { services, admission }));
      },
    });
    scope.route<DocumentRoute>({
      method: ['GET', 'POST'],
      url: '/v1/lines/:line/:carrier/after',
      schema: AFTER_SCHEMA,
      handler: async (request, reply) => {
        const question = readQuestion(request, services);
        await admission.document(request, question, question, false);
        const { documents, line, field } = question;
        const callId = queryText(request.query, 'call_id') ?? field(documents.fields.callId);
        const number =
          callId === undefined ? undefined : services.desk.transferOf(line.lineId, callId);
        return send(reply, documents.after(number));
      },
    });
  });
}

async function setUp(
  request: CarrierRequest,
  question: CarrierQuestion,
  { services, admission }: { readonly services: CarrierServices; readonly admission: Admission },
): Promise<CallDocument> {
  const { line, carrier, documents, field } = question;
  const format = queryText(request.query, 'format');
  const caller = await admission.document(request, question, question, true);
  const address = admission.address(request);
  const path = `/v1/lines/${encodeURIComponent(line.lineId)}/${carrier.name}`;
  const carrierCallId = field(documents.fields.callId);
  return documents.call({
    streamUrl: `${mediaAddress(address)}${path}`,
    afterUrl: `${address}${path}/after${afterQuery(request, { line, carrier, carrierCallId })}`,
    token: await services.issueToken(caller),
    carrierCallId,
    from: field(documents.fields.from),
    to: field(documents.fields.to),
    format,
  });
}

/** What let this request in, where it is no signature, must let the next one in: carriers add none. */
function afterQuery(request: CarrierRequest, { line, carrier, carrierCallId }: AfterCall): string {
  const key = line.secrets[carrier.name] === undefined ? requestKey(request) : undefined;
  const parameters = new URLSearchParams({
    ...(key !== undefined && { api_key: key }),
    ...(carrierCallId !== undefined && { call_id: carrierCallId }),
  });
  return parameters.size === 0 ? '' : `?${parameters}`;
}

interface Reply {
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}

function send(reply: Reply, { contentType, body }: CallDocument): unknown {
  return reply.header('content-type', contentType).header('cache-control', 'no-store').send(body);
}
