import type { FastifySchema } from 'fastify';
import type { JsonSchema } from '../wire/json-schema.ts';
import type { Components } from './openapi-components.ts';
import type { Operation, Parameter, RequestBody } from './openapi-document.ts';
import { exampleOf } from './openapi-example.ts';
import { responsesOf } from './openapi-responses.ts';
import type { DescribedRoute } from './openapi-routes.ts';
import { securityOf } from './openapi-security.ts';

const JSON_TYPE = 'application/json';

/** A route as an operation object. */
export function operationOf(route: DescribedRoute, components: Components): Operation {
  const { summary = `${route.method} ${route.path}`, description, tags, access } = route.schema;
  const parameters = parametersOf(route.schema, components);
  const requestBody = requestBodyOf(route.schema, components);
  return {
    operationId: route.schema.operationId ?? operationIdOf(route),
    summary,
    ...(description !== undefined && { description }),
    ...(tags && { tags }),
    security: securityOf(access),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(route, components),
  };
}

/** `GET /v1/voices/{voice_id}/settings` is `getVoicesByVoiceIdSettings`. */
function operationIdOf({ method, path }: DescribedRoute): string {
  const steps = path
    .replace(/^\/v1\//, '/')
    .replaceAll('{', 'by-')
    .split(/[^a-zA-Z0-9]+/)
    .filter((step) => step !== '');
  return method + steps.map((step) => step.charAt(0).toUpperCase() + step.slice(1)).join('');
}

function parametersOf(
  { params, querystring, headers }: FastifySchema,
  components: Components,
): Parameter[] {
  const places = [
    ['path', params],
    ['query', querystring],
    ['header', headers],
  ] as const;
  return places.flatMap(([place, schema]) => {
    const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema;
    return Object.entries(properties).map(([name, { description, ...property }]) => ({
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: components.place(property),
    }));
  });
}

function requestBodyOf(
  { body, consumes = JSON_TYPE }: FastifySchema,
  components: Components,
): RequestBody | undefined {
  if (!body) return undefined;
  const schema = body as JsonSchema;
  const isJson = consumes === JSON_TYPE;
  return {
    required: true,
    content: {
      [consumes]: {
        schema: components.place(schema),
        ...(isJson && { example: exampleOf(schema) }),
      },
    },
  };
}
