import type { CarrierName } from '../../domain/carrier.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { Carrier } from '../calls/carrier.ts';
import type { Line } from '../calls/line.ts';
import { carrierOf, lineOf } from './addressee.ts';
import type { CarrierDocuments } from './call-document.ts';
import { queryText } from './call-parameters.ts';
import type { CarrierRequest } from './carrier-authenticator.ts';
import type { CarrierServices } from './carrier-services.ts';
import { DOCUMENTS } from './documents.ts';
import { isObject } from './message-reader.ts';

/** A carrier's request for a document, read. */
export interface CarrierQuestion {
  readonly line: Line;
  readonly carrier: Carrier;
  readonly documents: CarrierDocuments;
  readonly body: Buffer;
  readonly form: ReadonlyArray<readonly [string, string]>;
  /** A field of its form, its JSON or its query. */
  readonly field: (name: string) => string | undefined;
}

/** @throws SpeechError `not_found` for a line, a carrier or a document that there is not. */
export function readQuestion(
  request: CarrierRequest,
  services: Pick<CarrierServices, 'lines'>,
): CarrierQuestion {
  const { params, query, headers } = request;
  const line = lineOf(services, params.line);
  const carrier = carrierOf(params.carrier);
  const documents = DOCUMENTS[carrier.name];
  if (!documents) throw withoutDocuments(carrier.name);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const type = headers['content-type'] ?? '';
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const form = isForm ? [...new URLSearchParams(body.toString('utf8'))] : [];
  const json = type.startsWith('application/json') ? jsonFields(body) : {};
  const field = (name: string) =>
    form.find(([known]) => known === name)?.[1] ?? queryText(json, name) ?? queryText(query, name);
  return { line, carrier, documents, body, form, field };
}

/** Of a body that is no JSON object there is nothing that would be needed. */
function jsonFields(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function withoutDocuments(name: CarrierName): SpeechError {
  const names = Object.keys(DOCUMENTS).join(', ');
  return new SpeechError(
    'not_found',
    `${name} asks for no call set-up document: point it at the media stream itself. These do ask: ${names}.`,
    { param: 'carrier' },
  );
}
