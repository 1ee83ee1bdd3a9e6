import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { docsRoutes } from '../../../../src/api/documents/docs.ts';
import { atAddresses, openApiDocument } from '../../../../src/api/documents/openapi.ts';
import type { OpenApiDocument } from '../../../../src/api/documents/openapi-document.ts';
import type { DescribedRoute } from '../../../../src/api/documents/openapi-routes.ts';
import { asyncApiDocument } from '../../../../src/api/stream/asyncapi.ts';
import { errorTable } from '../../../../src/domain/errors.ts';
import { SERVICE_EVENT_TYPES } from '../../../../src/domain/service-event.ts';
import { operationsOf, problemsOf } from '../../../support/openapi-checks.ts';
import { openApi } from '../resources/api-harness.ts';

const HERE = { name: 'sidetone', url: 'http://127.0.0.1:8080', description: 'This server.' };
/** Open by design: they tell nothing of anybody. */
const OPEN_ROUTES = [
  'get /v1/voices/settings/default',
  'get /health',
  'get /metrics',
  'get /openapi.json',
  'get /asyncapi.json',
  'get /docs',
  'get /docs/{page}',
];
/** Without a key, they tell of what is installed for everybody. */
const KEY_OPTIONAL_ROUTES = ['get /v1/voices', 'get /v1/voices/{voice_id}'];

async function open(
  settings: { publicUrl?: string; regions?: { name: string; baseUrl: string }[] } = {},
) {
  const { app, routes } = await openApi();
  docsRoutes(app, {
    publicUrl: settings.publicUrl,
    regions: settings.regions ?? [],
    version: '1.2.3',
    routes,
    describeSockets: (addresses) => asyncApiDocument(addresses, '1.2.3'),
  });
  return app;
}

/** The document of a server with one route. */
function described(schema: DescribedRoute['schema']): OpenApiDocument {
  const route: DescribedRoute = { method: 'post', path: '/v1/things', schema };
  return atAddresses(openApiDocument([route], '1'), [HERE]);
}

/** The routes that the server itself lists, as `method /path/{parameter}`. */
function printedRoutes(tree: string): string[] {
  const steps: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods] =
      /^(.*?)(\/\S*|\*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    steps.splice(depth - 1, steps.length, path);
    const whole = steps.join('').replace(/:(\w+)/g, '{$1}');
    return (methods?.split(', ') ?? [])
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method.toLowerCase()} ${whole}`);
  });
}

async function published(): Promise<OpenApiDocument> {
  const app = await open();
  return (await app.inject('/openapi.json')).json();
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('GET /openapi.json', () => {
  it('is an OpenAPI 3.1 document whose references and examples hold', async () => {
    expect(problemsOf(await published())).toEqual([]);
  });

  it('has every route of the server, and no other', async () => {
    const app = await open();
    const document = (await app.inject('/openapi.json')).json();
    const printed = printedRoutes(app.printRoutes({ commonPrefix: false }));
    expect(printed.length).toBeGreaterThan(40);
    expect(printed).toContain(
      'post /v1/workspace/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    );
    expect(operationsOf(document).map(nameOf).sort()).toEqual(printed.sort());
  });

  it('has pages that a needless slash leads back to their address: their links are relative', async () => {
    const app = await open();
    const leadsTo = async (url: string) => (await app.inject(url)).headers.location;
    expect(await leadsTo('/docs/')).toBe('../docs');
    expect(await leadsTo('//docs/rest/?a')).toBe('../rest');
    expect(await leadsTo('/docs')).toBeUndefined();
  });

  it('says who may call: everything has a scope, unless it is open by design', async () => {
    const operations = operationsOf(await published());
    const namesWhere = (isMeant: (alternatives: readonly object[]) => boolean) =>
      operations
        .filter(({ operation }) => isMeant(operation.security ?? []))
        .map(nameOf)
        .sort();
    expect(namesWhere(({ length }) => length === 0)).toEqual(OPEN_ROUTES.toSorted());
    const mayBeNone = (alternatives: readonly object[]) =>
      alternatives.some((one) => Object.keys(one).length === 0);
    expect(namesWhere(mayBeNone)).toEqual(KEY_OPTIONAL_ROUTES.toSorted());
  });

  it('is rendered once, and not sent again to whoever has it', async () => {
    const app = await open();
    for (const url of ['/openapi.json', '/asyncapi.json', '/docs']) {
      const at = (host: string, tag = '') =>
        app.inject({ url, headers: { host, ...(tag && { 'if-none-match': tag }) } });
      const first = await at('speech.example');
      const tag = String(first.headers.etag);
      const known = await at('speech.example', `"other", ${tag}`);
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', tag]);
      const elsewhere = await at('other.example:8080', tag);
      expect(elsewhere.statusCode).toBe(200);
      expect(elsewhere.body).toContain('other.example:8080');
      expect(elsewhere.body + first.body).not.toContain('somewhere.invalid');
    }
  });

  it('lists every error, by the name that replies have', async () => {
    const { 'x-errors': errors } = await published();
    expect(errors.map(({ error }) => error)).toEqual(errorTable().map(([code]) => code));
    expect(errors).toContainEqual({
      error: 'voice_id_does_not_exist',
      http: 404,
      retry: false,
      status: 'voice_not_found',
    });
  });

  it('describes what webhooks receive', async () => {
    const { webhooks } = await published();
    expect(Object.keys(webhooks)).toEqual([...SERVICE_EVENT_TYPES]);
    const names = webhooks['quota.reached']?.post.parameters?.map(({ name }) => name);
    expect(names).toContain('elevenlabs-signature');
  });

  it('says how forms, audio and parts of it travel', async () => {
    const { paths } = await published();
    const form = paths['/v1/voices/add']?.post?.requestBody?.content ?? {};
    expect(Object.keys(form)).toEqual(['multipart/form-data']);
    const audio = paths['/v1/history/{history_item_id}/audio']?.get;
    expect(Object.keys(audio?.responses['206']?.content ?? {})).toContain('audio/mpeg');
    expect(audio?.parameters?.map(({ name }) => name)).toContain('range');
  });

  it('names the address that it was asked for at, or those of the settings', async () => {
    const app = await open();
    const headers = { host: 'speech.example', 'x-forwarded-proto': 'https' };
    const here = await app.inject({ url: '/openapi.json', headers });
    expect(here.json().servers).toEqual([
      { url: 'https://speech.example', description: 'This server.' },
    ]);
    const placed = await open({
      publicUrl: 'https://voice.example.com/speech',
      regions: [{ name: 'eu', baseUrl: 'https://eu.voice.example.com' }],
    });
    const urls = ['https://voice.example.com/speech', 'https://eu.voice.example.com'];
    const document = (await placed.inject({ url: '/openapi.json', headers })).json();
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(urls);
    const { servers } = (await placed.inject({ url: '/asyncapi.json', headers })).json();
    expect(servers).toMatchObject({
      sidetone: { host: 'voice.example.com', pathname: '/speech', protocol: 'wss' },
      'region-eu': { host: 'eu.voice.example.com', protocol: 'wss' },
    });
    const page = (await placed.inject({ url: '/docs', headers })).body;
    for (const url of urls) expect(page).toContain(`<code>${url}</code>`);
  });
});

describe('a document', () => {
  const thing = (properties: Record<string, TSchema>) =>
    Type.Object(properties, { title: 'Thing' });

  it('has a schema with a title once, wherever it is used', () => {
    const Thing = thing({ name: Type.String() });
    const document = described({ body: Type.Array(Thing), response: { 200: Thing } });
    expect(document.components.schemas).toHaveProperty('Thing');
    const reference = { $ref: '#/components/schemas/Thing' };
    const operation = document.paths['/v1/things']?.post;
    expect(operation?.requestBody?.content['application/json']?.schema.items).toEqual(reference);
    expect(operation?.responses['200']?.content?.['application/json']?.schema).toEqual(reference);
  });

  it('is not made of two schemas with one title', () => {
    const response = { 200: thing({ a: Type.String() }), 201: thing({ b: Type.String() }) };
    expect(() => described({ response })).toThrow('Thing');
  });

  it('lists the refusals of a route by status, from the error table', () => {
    const body = Type.Object({ name: Type.String() });
    const document = described({ body, errors: ['already_exists', 'invalid_input_message'] });
    const responses = document.paths['/v1/things']?.post?.responses ?? {};
    const statuses = ['200', '400', '401', '403', '409', '413', '422', '429', '500', '503', '507'];
    expect(Object.keys(responses)).toEqual(statuses);
    expect(responses['409']?.description).toContain('already_exists');
    expect(responses['422']?.content?.['application/json']?.schema.anyOf).toHaveLength(2);
  });

  it.each([
    ['an unknown key', { info: { title: 'x' } }],
    ['a reference to nothing', { paths: { '/v1/things': { post: { $ref: '#/nowhere' } } } }],
    ['two versions', { openapi: '2.0' }],
  ])('with %s does not pass our checks', (_what, change) => {
    const document = described({ summary: 'Make', tags: ['T'], response: { 200: thing({}) } });
    expect(problemsOf(document)).toEqual([]);
    expect(problemsOf({ ...document, ...change } as OpenApiDocument)).not.toEqual([]);
  });

  it('with an example or a reference that does not hold does not pass our checks either', () => {
    const body = Type.Object({ name: Type.String({ examples: [7] }) });
    const response = { 200: Type.Unsafe({ $ref: '#/components/schemas/Missing' }) };
    const document = described({ summary: 'Make', tags: ['T'], body, response });
    expect(problemsOf(document)).toEqual([
      '#/components/schemas/Missing leads nowhere',
      expect.stringContaining('does not fit'),
    ]);
  });
});
