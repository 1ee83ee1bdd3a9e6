import fc from 'fast-check';
import type { OpenApiDocument, Parameter } from '../../src/api/documents/openapi-document.ts';
import type { JsonSchema } from '../../src/api/wire/json-schema.ts';
import { type FormPart, multipartBody } from './multipart-body.ts';
import type { PlacedOperation } from './openapi-checks.ts';
import { arbitraryOf, hostileValue, type KnownValues } from './schema-arbitrary.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Whose key it carries, in one header or another. */
  readonly holder: KeyHolder;
}

/** Kinds of keys: all rights, few of them, another account's, what stands in for a key, and none. */
export const KEY_HOLDERS = ['operator', 'restricted', 'other', 'browser', 'nobody'] as const;
export type KeyHolder = (typeof KEY_HOLDERS)[number];

export interface FuzzParts {
  readonly document: OpenApiDocument;
  /** `nobody` has wrong ones. */
  readonly keys: Readonly<Record<Exclude<KeyHolder, 'nobody'>, string>>;
  /** Ids and the like that exist on the server, by the names of parameters and fields. */
  readonly known: KnownValues;
  /** Files for forms; the first ones are as they should be, of the fields of that name. */
  readonly files: readonly Buffer[];
  readonly goodFiles: Readonly<Record<string, Buffer>>;
}

const JSON_TYPE = 'application/json';
const HOSTILE_PATHS = [
  '..',
  '.',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f',
  '%00',
  '%',
  '%zz',
  '%F0%9F%8F%B3',
  '__proto__',
  'constructor',
  "'%20OR%201=1%20--",
  'a'.repeat(101),
  'a'.repeat(4000),
  '%22%3E%3Cscript%3E',
];
const HOSTILE_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  Buffer.from([0xff, 0xfe, 0x00, 0x80]),
];
const HOSTILE_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'nonsense',
  '',
];

/** Requests of an operation: most as the document asks for them, the others wrong in one way or several. */
export function requestsOf(parts: FuzzParts, placed: PlacedOperation): fc.Arbitrary<WireRequest> {
  const { parameters = [] } = placed.operation;
  const place = (name: Parameter['in']) => parameters.filter((parameter) => parameter.in === name);
  return fc
    .record({
      path: pathOf(parts, placed.path),
      query: queryOf(parts, place('query')),
      credentials: credentialsOf(parts.keys),
      body: bodyOf(parts, placed),
    })
    .map(({ path, query, credentials, body }) => ({
      method: placed.method.toUpperCase(),
      path: query === '' ? path : `${path}?${query}`,
      headers: { ...credentials.headers, ...body?.headers },
      body: body?.payload,
      holder: credentials.holder,
    }));
}

/** The request that the document gives as its example, about things that exist. */
export function plainRequest(
  { keys, known, goodFiles }: FuzzParts,
  { method, path, operation }: PlacedOperation,
): WireRequest {
  const firstOf = (name: string) => known[name]?.[0];
  const [described] = Object.entries(operation.requestBody?.content ?? {});
  const { properties = {}, required = [] } = described?.[1].schema ?? {};
  const example = described?.[1].example as Record<string, unknown> | undefined;
  const fields = Object.entries(example ?? {}).map(([name, value]) => [
    name,
    firstOf(name) ?? value,
  ]);
  const parts = Object.keys(properties).flatMap((name): FormPart[] => {
    const file = goodFiles[name];
    if (file) return [{ name, value: file, fileName: 'file', contentType: 'text/plain' }];
    return required.includes(name) ? [{ name, value: 'Plain' }] : [];
  });
  const form = multipartBody(parts);
  const body = example ? jsonBody(Buffer.from(JSON.stringify(Object.fromEntries(fields)))) : form;
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_all, name: string) => String(firstOf(name))),
    headers: { 'xi-api-key': keys.operator, ...(described && body.headers) },
    body: described && body.payload,
    holder: 'operator',
  };
}

interface FuzzCredentials {
  readonly holder: KeyHolder;
  readonly headers: Readonly<Record<string, string>>;
}

function credentialsOf(keys: FuzzParts['keys']): fc.Arbitrary<FuzzCredentials> {
  const holding = (holder: Exclude<KeyHolder, 'nobody'>) =>
    fc.constant<FuzzCredentials>({ holder, headers: { 'xi-api-key': keys[holder] } });
  const wrong = fc
    .constantFrom<Readonly<Record<string, string>>>(
      {},
      { 'xi-api-key': '' },
      { 'xi-api-key': 'wrong' },
      { 'xi-api-key': `sk_${'0'.repeat(48)}` },
      { authorization: `Bearer ${keys.operator}` },
    )
    .map((headers) => ({ holder: 'nobody' as const, headers }));
  return fc.oneof(
    { weight: 16, arbitrary: holding('operator') },
    { weight: 1, arbitrary: holding('restricted') },
    { weight: 2, arbitrary: holding('other') },
    { weight: 1, arbitrary: holding('browser') },
    { weight: 2, arbitrary: wrong },
  );
}

function pathOf({ known }: FuzzParts, template: string): fc.Arbitrary<string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const steps = names.map((name) => {
    const usual = fc.constantFrom(...(known[name] ?? ['unknown']).map(String));
    return fc.oneof(
      { weight: 4, arbitrary: usual },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_PATHS) },
    );
  });
  return fc.tuple(...steps).map((values) => {
    let index = 0;
    return template.replace(/\{\w+\}/g, () => values[index++] ?? '');
  });
}

function queryOf({ document, known }: FuzzParts, parameters: readonly Parameter[]) {
  const pairs = parameters.map(({ name, schema, required }) => {
    const usual = arbitraryOf(document, schema, known, name);
    const value = fc.oneof(
      { weight: 6, arbitrary: usual },
      { weight: 1, arbitrary: hostileValue.filter((one) => spelled(one).length < 3000) },
    );
    const pair = value.map((one) =>
      [one]
        .flat()
        .map((item) => `${name}=${spelled(item)}`)
        .join('&'),
    );
    return required ? pair : fc.option(pair, { nil: '', freq: 2 });
  });
  const extra = fc.constantFrom(
    '',
    '',
    '',
    '__proto__=1',
    '%=%',
    'xi-api-key=in-the-query',
    '&&=&',
  );
  return fc.tuple(...pairs, extra).map((given) => given.filter((pair) => pair !== '').join('&'));
}

function spelled(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(Buffer.from(text).toString());
}

interface WireBody {
  readonly payload: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function bodyOf(
  parts: FuzzParts,
  { operation }: PlacedOperation,
): fc.Arbitrary<WireBody | undefined> {
  const [described] = Object.entries(operation.requestBody?.content ?? {});
  const unasked = fc.constantFrom<WireBody | undefined>(
    undefined,
    undefined,
    undefined,
    jsonBody(Buffer.from('{}')),
    jsonBody(Buffer.from('{')),
  );
  if (!described) return unasked;
  const [type, { schema }] = described;
  const value = arbitraryOf(parts.document, schema, parts.known) as fc.Arbitrary<
    Record<string, unknown>
  >;
  const good =
    type === JSON_TYPE
      ? value.map((one) => jsonBody(Buffer.from(JSON.stringify(one))))
      : value.chain((fields) => formOf(parts, schema, fields));
  const spoiled = fc.tuple(value, fc.string({ maxLength: 8 }), hostileValue, fc.nat()).map(spoil);
  const raw = fc.constantFrom(...HOSTILE_BODIES).map((one) => jsonBody(Buffer.from(one)));
  const mistyped = fc.tuple(good, fc.constantFrom(...HOSTILE_TYPES)).map(([{ payload }, name]) => ({
    payload,
    headers: name === '' ? {} : { 'content-type': name },
  }));
  return fc.oneof(
    { weight: 10, arbitrary: good },
    type === JSON_TYPE
      ? { weight: 8, arbitrary: spoiled }
      : { weight: 2, arbitrary: good.map(cutShort) },
    { weight: 2, arbitrary: raw },
    { weight: 2, arbitrary: mistyped },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** One field is replaced, added or left out. */
function spoil([value, name, hostile, choice]: [Record<string, unknown>, string, unknown, number]) {
  const fields = structuredClone(value);
  const names = Object.keys(fields);
  const chosen = names[choice % Math.max(1, names.length)] ?? name;
  if (choice % 4 === 0) delete fields[chosen];
  else if (choice % 4 === 1) fields[name] = hostile;
  else fields[chosen] = hostile;
  return jsonBody(Buffer.from(JSON.stringify(fields)));
}

function jsonBody(payload: Buffer): WireBody {
  return { payload, headers: { 'content-type': JSON_TYPE } };
}

/** Files go where the form wants them, more often than not. */
function formOf(
  { files }: FuzzParts,
  { properties = {} }: JsonSchema,
  fields: Record<string, unknown>,
): fc.Arbitrary<WireBody> {
  const isList = (name: string) => properties[name]?.type === 'array';
  const places = Object.keys(properties).filter(isList);
  const file = fc.record({
    name: fc.constantFrom(...places, ...places, ...places, 'other'),
    value: fc.constantFrom(...files),
    fileName: fc.constantFrom('a.wav', '../../etc/passwd', '', 'x'.repeat(300), '\u202egnp'),
    contentType: fc.constantFrom('audio/wav', 'application/pls+xml', 'text/html', 'nonsense'),
  });
  const texts: FormPart[] = Object.entries(fields)
    .filter(([name]) => !isList(name))
    .map(([name, value]) => ({ name, value: String(value) }));
  return fc.array(file, { maxLength: 2 }).map((uploads) => multipartBody([...texts, ...uploads]));
}

function cutShort({ payload, headers }: WireBody): WireBody {
  return { payload: payload.subarray(0, Math.floor(payload.length / 2)), headers };
}
