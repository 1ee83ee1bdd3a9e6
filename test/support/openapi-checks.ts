import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import {
  METHODS,
  type Method,
  type OpenApiDocument,
  type Operation,
} from '../../src/api/documents/openapi-document.ts';
import type { JsonSchema } from '../../src/api/wire/json-schema.ts';

/** What OpenAPI 3.1 demands of the objects that our documents have; a key it does not know is a mistake. */
const strict = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false });
const optional = Type.Optional;
const text = Type.String({ minLength: 1 });
const map = (value: TSchema) => Type.Record(Type.String(), value);
const Schema = Type.Object({});
const Reference = strict({ $ref: Type.String({ pattern: '^#/components/' }) });
const Media = strict({ schema: optional(Schema), example: optional(Type.Unknown()) });
const Header = strict({ description: optional(text), schema: Schema });
const Response = strict({
  description: text,
  headers: optional(map(Type.Union([Header, Reference]))),
  content: optional(map(Media)),
});
const Parameter = Type.Union([
  strict({
    name: text,
    in: Type.Literal('path'),
    required: Type.Literal(true),
    description: optional(text),
    schema: Schema,
  }),
  strict({
    name: text,
    in: Type.Union([Type.Literal('query'), Type.Literal('header')]),
    required: Type.Boolean(),
    description: optional(text),
    schema: Schema,
  }),
]);
const OperationObject = strict({
  operationId: optional(Type.String({ pattern: '^[a-z]\\w+$' })),
  summary: text,
  description: optional(text),
  tags: optional(Type.Array(text)),
  security: optional(Type.Array(map(Type.Array(text)))),
  parameters: optional(Type.Array(Parameter)),
  requestBody: optional(strict({ required: Type.Boolean(), content: map(Media) })),
  responses: map(Response),
});
const DocumentObject = strict({
  openapi: Type.String({ pattern: '^3\\.1\\.\\d+$' }),
  info: strict({
    title: text,
    version: text,
    description: text,
    license: strict({ name: text, identifier: text }),
  }),
  servers: Type.Array(
    strict({ url: Type.String({ pattern: '^https?://[^/].*[^/]$' }), description: text }),
    { minItems: 1 },
  ),
  tags: Type.Array(strict({ name: text })),
  paths: map(
    strict(Object.fromEntries(METHODS.map((method) => [method, optional(OperationObject)]))),
  ),
  webhooks: map(strict({ post: OperationObject })),
  components: strict({
    schemas: map(Schema),
    headers: map(Header),
    securitySchemes: map(
      strict({
        type: Type.Literal('apiKey'),
        in: Type.Union([Type.Literal('header'), Type.Literal('query')]),
        name: text,
        description: text,
      }),
    ),
  }),
  'x-errors': Type.Array(
    strict({ error: text, status: text, http: Type.Integer(), retry: Type.Boolean() }),
  ),
});
const STATUS = /^([1-5]\d\d|[1-5]XX)$/;

/** An operation, and where it stands. */
export interface PlacedOperation {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

export function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
}

/** @returns whether a value is as a schema of the document says. */
export function checker(
  document: OpenApiDocument,
  schema: JsonSchema,
): (value: unknown) => boolean {
  const { components } = document;
  const compiled = Compile({ ...schema, components } as never);
  return (value) => compiled.Check(value);
}

/** Everything that is wrong with a document, in words; see https://spec.openapis.org/oas/v3.1.0. */
export function problemsOf(document: OpenApiDocument): string[] {
  const [, errors] = Compile(DocumentObject).Errors(document);
  const shape = errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
  if (shape.length > 0) return shape;
  const operations = operationsOf(document);
  const ids = operations.map(({ operation }) => operation.operationId);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice`),
    ...references(document).flatMap((reference) => unresolved(document, reference)),
    ...operations.flatMap((placed) =>
      operationProblems(document, placed).map(
        (problem) => `${placed.method} ${placed.path}: ${problem}`,
      ),
    ),
    ...Object.entries(document.webhooks).flatMap(([type, { post }]) =>
      exampleProblems(document, post).map((problem) => `${type}: ${problem}`),
    ),
  ];
}

function operationProblems(document: OpenApiDocument, placed: PlacedOperation): string[] {
  const { path, operation } = placed;
  const { parameters = [], responses, tags = [], security = [], requestBody } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const template = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const statuses = Object.keys(responses);
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  const listed = document.tags.map(({ name }) => name);
  const complaints: ReadonlyArray<readonly [boolean, string]> = [
    [`${template.sort()}` !== `${inPath.sort()}`, `has the path parameters ${inPath}`],
    [tags.length === 0 || tags.some((tag) => !listed.includes(tag)), 'has no listed tag'],
    [statuses.some((status) => !STATUS.test(status)), `answers with ${statuses}`],
    [success.every(([, { content }]) => !content), 'does not say what it answers with'],
    [schemes.some((name) => !Object.hasOwn(document.components.securitySchemes, name)), 'is open'],
    [placed.method === 'get' && requestBody !== undefined, 'wants a body'],
    [
      parameters.some(({ description }) => !description) && path.startsWith('/v'),
      'explains too little',
    ],
  ];
  return [
    ...complaints.filter(([isWrong]) => isWrong).map(([, complaint]) => complaint),
    ...exampleProblems(document, operation),
  ];
}

function exampleProblems(document: OpenApiDocument, { requestBody }: Operation): string[] {
  return Object.values(requestBody?.content ?? {})
    .filter(({ schema, example }) => example !== undefined && !checker(document, schema)(example))
    .map(({ example }) => `the example ${JSON.stringify(example)} does not fit its schema`);
}

function references(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : references(value),
  );
}

function unresolved(document: OpenApiDocument, reference: string): string[] {
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, step) => (part as Record<string, unknown> | undefined)?.[step],
      document,
    );
  return target === undefined ? [`${reference} leads nowhere`] : [];
}
