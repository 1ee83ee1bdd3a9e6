import { errorTable } from '../../domain/errors.ts';
import { httpNames } from '../http/wire-error.ts';
import type { JsonSchema } from '../wire/json-schema.ts';
import { Components } from './openapi-components.ts';
import type { OpenApiDocument, Operation, PathItem } from './openapi-document.ts';
import { eitherOperation } from './openapi-either.ts';
import { exampleOf } from './openapi-example.ts';
import { operationOf } from './openapi-operation.ts';
import { SHARED_HEADERS } from './openapi-responses.ts';
import type { DescribedRoute } from './openapi-routes.ts';
import { securitySchemes } from './openapi-security.ts';
import type { ServerAddress } from './server-addresses.ts';
import { SERVICE_EVENT_SCHEMAS } from './service-event-schemas.ts';

/** What people come for. */
const FIRST_TAG = 'Text to speech';
const DESCRIPTION = `Text-to-speech over HTTP, and everything around it: voices, models, history, pronunciation dictionaries, accounts, keys and webhooks. The websockets are described by asyncapi.json.
Numbers and truth values may also be sent as text that spells them; unknown fields are ignored.
A key is looked at before the request is read: a request with neither is refused for its key.`;

/** How a webhook proves whom it is from; see `service/webhooks/signatures.ts`. */
const SIGNATURE_HEADERS: Readonly<Record<string, string>> = {
  'elevenlabs-signature': 't=seconds since 1970,v0=hexadecimal HMAC-SHA256 of "t.body".',
  'webhook-id': 'Id of the event, the same in every attempt (Standard Webhooks).',
  'webhook-timestamp': 'Seconds since 1970, of this attempt.',
  'webhook-signature': 'v1,base64 HMAC-SHA256 of "id.timestamp.body".',
};

/**
 * The OpenAPI 3.1 document of the server: its routes by the schemas that they validate with, and the
 * calls that it makes itself.
 *
 * @throws Error when two different schemas have the same title.
 */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  version: string,
): Omit<OpenApiDocument, 'servers'> {
  const components = new Components();
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    const operation = operationOf(route, components);
    const known = paths[route.path]?.[route.method];
    paths[route.path] = {
      ...paths[route.path],
      [route.method]: known ? eitherOperation(known, operation) : operation,
    };
  }
  const webhooks = webhooksOf(components);
  const tags = new Set(routes.flatMap(({ schema }) => schema.tags ?? []));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sidetone',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...tags]
      .sort((one, other) => Number(other === FIRST_TAG) - Number(one === FIRST_TAG))
      .map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: components.schemas,
      headers: SHARED_HEADERS,
      securitySchemes: securitySchemes(routes.map(({ schema }) => schema.access)),
    },
    'x-errors': errorTable().map(([error, { http, retry }]) => ({
      error,
      http,
      retry,
      status: httpNames(error)[1],
    })),
  };
}

/** The same, as it is reached at some addresses; the first is the one to use by default. */
export function atAddresses(
  document: Omit<OpenApiDocument, 'servers'>,
  addresses: readonly ServerAddress[],
): OpenApiDocument {
  const { openapi, info, ...rest } = document;
  const servers = addresses.map(({ url, description }) => ({ url, description }));
  return { openapi, info, servers, ...rest };
}

function webhooksOf(components: Components): Record<string, { readonly post: Operation }> {
  return Object.fromEntries(
    Object.entries(SERVICE_EVENT_SCHEMAS).map(([type, event]) => {
      const { description = '', ...schema } = event as JsonSchema;
      const body = { schema: components.place(schema), example: exampleOf(schema) };
      const post: Operation = {
        summary: description,
        parameters: Object.entries(SIGNATURE_HEADERS).map(([name, meaning]) => ({
          name,
          in: 'header',
          required: true,
          description: meaning,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': body } },
        responses: {
          '2XX': { description: 'The event has arrived; anything else is tried again.' },
        },
      };
      return [type, { post }];
    }),
  );
}
