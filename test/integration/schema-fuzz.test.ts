import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenApiDocument, Response } from '../../src/api/documents/openapi-document.ts';
import type { App } from '../../src/app.ts';
import { OUTPUT_FORMATS } from '../../src/domain/audio.ts';
import { closed, closedAll } from '../support/closed-schema.ts';
import {
  type FuzzParts,
  plainRequest,
  requestsOf,
  type WireRequest,
} from '../support/fuzz-requests.ts';
import { multipartBody } from '../support/multipart-body.ts';
import { checker, operationsOf, type PlacedOperation } from '../support/openapi-checks.ts';
import { REAL_KEY, startRealServer } from '../support/real-server.ts';
import { toneRecording } from '../support/recordings.ts';

const SEED = 20_261_121;
const REQUESTS_A_ROUTE = 30;
/** Far more than any answer takes on a busy machine: what takes longer hangs. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Nobody listens there. */
const HOOK_URL = 'http://127.0.0.1:9/hook';

interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const MAX_UNKNOWN_BYTES = 64 * 1024;
const KEYLESS: readonly string[] = ['nobody', 'browser'];
/** What the restricted key may see. */
const RESTRICTED_TAG = 'User';
/** Of things that belong to the account which made them. */
const OWNED =
  /\{(history_item_id|webhook_id|delivery_id|api_key_id|account_id|pronunciation_dictionary_id)\}/;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const statusesSeen = new Map<string, Set<number>>();
let app: App;
let parts: FuzzParts;
let document: OpenApiDocument;

beforeAll(async () => {
  app = await startRealServer({
    SIDETONE_WEBHOOK_ALLOW: '127.0.0.1',
    SIDETONE_WEBHOOK_ALLOW_HTTP: 'true',
    SIDETONE_RATE_LIMIT_KEYLESS: '1000000',
    SIDETONE_RATE_LIMIT_KEY: '1000000',
  });
  document = (await call('GET', '/openapi.json')) as unknown as OpenApiDocument;
  parts = {
    document,
    keys: await keysOfEach(),
    known: await knownValues(),
    goodFiles: { files: toneRecording(), file: fixture('pls/airport.pls') },
    files: [
      toneRecording(),
      fixture('pls/airport.pls'),
      fixture('pls/billion-laughs.pls'),
      fixture('pls/external-entity.pls'),
      Buffer.alloc(0),
      Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt ', 'latin1'),
      Buffer.alloc(2 ** 20 + 1, 'x'),
    ],
  };
});
afterAll(async () => {
  agent.destroy();
  await app.close();
});

describe('every route of the OpenAPI document', () => {
  it('answers whatever it is sent as it is documented to', { timeout: 120_000 }, async () => {
    const closedDocument = {
      ...document,
      components: { ...document.components, schemas: closedAll(document.components.schemas) },
    };
    const complaints: string[] = [];
    for (const placed of inOrder(operationsOf(document))) {
      const name = `${placed.method} ${placed.path}`;
      const property = fc.asyncProperty(requestsOf(parts, placed), async (wire) => {
        const answer = await send(wire);
        note(name, answer.status);
        const problem = problemWith(closedDocument, placed, wire, answer);
        if (problem !== undefined) throw new Error(`${problem}\n${shown(wire, answer)}`);
      });
      const options = {
        seed: SEED,
        numRuns: REQUESTS_A_ROUTE,
        endOnFailure: true,
        examples: [[plainRequest(parts, placed)]] as [WireRequest][],
      };
      const { failed, errorInstance } = await fc.check(property, options);
      if (failed) complaints.push(`${name}: ${(errorInstance as Error).message}`);
    }
    expect(complaints.join('\n\n')).toBe('');
  });

  it('was reached: the documented example of each has succeeded', () => {
    const failed = [...statusesSeen].filter(
      ([, seen]) => ![...seen].some((status) => status < 300),
    );
    expect(failed.map(([name, seen]) => `${name}: ${[...seen]}`)).toEqual([]);
    expect(statusesSeen.size).toBeGreaterThan(50);
  });
});

describe('what is no request', () => {
  it.each([
    ['a greeting', 'HELLO\r\n\r\n', 400],
    ['a header that never ends', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 413],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: a\0b\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('is refused like any other, and hung up on: %s', async (_what, bytes, status) => {
    const reply = await rawAnswer(bytes);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));
    expect(body.detail).toMatchObject({ type: 'validation_error', request_id: expect.any(String) });
  });
});

/** A key of each kind; the other account has nothing of what the fuzz knows of. */
async function keysOfEach(): Promise<FuzzParts['keys']> {
  const made = async (query: string, body: object) => {
    const { api_key } = await call('POST', `/v1/workspace/api-keys${query}`, body);
    return String(api_key);
  };
  await call('POST', '/v1/workspace/accounts', {
    account_id: 'other',
    name: 'Other',
    tier: 'business',
  });
  return {
    operator: REAL_KEY,
    restricted: await made('', { name: 'Restricted', scopes: ['user_read'] }),
    other: await made('?account_id=other', { name: 'Other' }),
    browser: String((await call('POST', '/v1/single-use-token/tts_websocket'))['token']),
  };
}

/** Things that exist, so that requests get past "there is no such thing". */
async function knownValues(): Promise<FuzzParts['known']> {
  const voiceId = app.defaultVoice.voiceId;
  const shared = await call('GET', '/v1/shared-voices?page_size=3');
  const rule = { type: 'alias', string_to_replace: 'IVR', alias: 'menu' };
  const dictionary = await call('POST', '/v1/pronunciation-dictionaries/add-from-rules', {
    name: 'Fuzz',
    rules: [rule],
  });
  const webhook = await call('POST', '/v1/workspace/webhooks', {
    settings: { auth_type: 'hmac', name: 'Fuzz', webhook_url: HOOK_URL },
  });
  const key = await call('POST', '/v1/workspace/api-keys', { name: 'Fuzz' });
  const account = await call('POST', '/v1/workspace/accounts', { name: 'Fuzz', tier: 'free' });
  await call('POST', `/v1/text-to-speech/${voiceId}`, { text: 'Hello.' });
  const { history } = await call('GET', '/v1/history');
  const hooks = `/v1/workspace/webhooks/${webhook['webhook_id']}/deliveries`;
  const { deliveries } = await vi.waitFor(async () => {
    const page = await call('GET', hooks);
    expect(page['deliveries']).not.toEqual([]);
    return page;
  });
  const ownVoice = await addVoice();
  const { samples } = await call('GET', `/v1/voices/${ownVoice}`);
  const [voice] = shared['voices'] as Array<Record<string, unknown>>;
  const idsOf = (list: unknown, field: string) =>
    (list as Array<Record<string, unknown>>).map((record) => record[field]);
  return {
    voice_id: [
      voiceId,
      voiceId,
      ownVoice,
      ownVoice,
      ownVoice,
      ...idsOf(shared['voices'], 'voice_id'),
    ],
    // Of Cartesia's `GET /voices/{id}`.
    id: [voiceId, voiceId, 'nobody'],
    sample_id: idsOf(samples, 'sample_id'),
    public_user_id: [voice?.['public_owner_id']],
    pronunciation_dictionary_id: [dictionary['id']],
    version_id: [dictionary['version_id']],
    webhook_id: [webhook['webhook_id']],
    delivery_id: idsOf(deliveries, 'delivery_id'),
    api_key_id: [key['api_key_id'], 'configured'],
    account_id: [account['account_id']],
    history_item_id: idsOf(history, 'history_item_id'),
    history_item_ids: [idsOf(history, 'history_item_id')],
    token_type: ['tts_websocket'],
    page: ['websocket', 'nowhere'],
    line: ['default'],
    carrier: ['twilio', 'vonage', 'asterisk'],
    // Nothing but speech takes so long that fuzzing must mind it.
    model_id: ['svc_turbo_v1', 'eleven_multilingual_v2', null],
    text: ['Hi.', 'Hi.', 'A', '7', 'Ünïcödé', '…', '你好'],
    output_format: ['default', ...OUTPUT_FORMATS.map(({ name }) => name)],
    voice: ['alloy', 'Onyx', voiceId, { id: voiceId }, 'nobody', null],
    model: ['tts-1', 'gpt-4o-mini-tts', 'svc_turbo_v1', null],
    input: ['Hi.', 'Hi.', 'A', '7', 'Ünïcödé', '…', '你好'],
    response_format: ['mp3', 'opus', 'flac', 'wav', 'pcm', 'aac', null],
    seed: [1, 2, '7', -1],
    webhook_url: [HOOK_URL, 'https://10.0.0.1/', 'ftp://example.com', 'text'],
    labels: ['{"accent":"scottish"}', '{"accent":"scottish"}', '{'],
  };
}

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}

async function addVoice(): Promise<unknown> {
  const form = multipartBody([
    { name: 'name', value: 'Fuzz' },
    { name: 'files', value: toneRecording(), fileName: 'a.wav', contentType: 'audio/wav' },
  ]);
  const wire = {
    method: 'POST',
    path: '/v1/voices/add',
    headers: { ...form.headers, 'xi-api-key': REAL_KEY },
    body: form.payload,
    holder: 'operator' as const,
  };
  return JSON.parse((await send(wire)).body).voice_id;
}

/** A request that is to succeed. */
async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { status, body: text } = await send({
    method,
    path,
    headers: { 'xi-api-key': REAL_KEY, ...(body && { 'content-type': 'application/json' }) },
    body: body && Buffer.from(JSON.stringify(body)),
    holder: 'operator' as const,
  });
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : {};
}

/** What is deleted is missed by all that come later, and what is switched off refuses them. */
function inOrder(operations: readonly PlacedOperation[]): PlacedOperation[] {
  const place = ({ method }: PlacedOperation) => ['patch', 'delete'].indexOf(method);
  return operations.toSorted((one, other) => place(one) - place(other));
}

function note(name: string, status: number): void {
  const seen = statusesSeen.get(name) ?? new Set();
  statusesSeen.set(name, seen.add(status));
}

/** What is wrong with an answer; undefined when it is as the document says. */
function problemWith(
  described: OpenApiDocument,
  { operation, path }: PlacedOperation,
  wire: WireRequest,
  { status, headers, body }: WireAnswer,
): string | undefined {
  // A path that leads elsewhere is not this operation: one in which a parameter was made hostile.
  const isElsewhere = status === 404 && isAddressOfNothing(wire, body);
  const response: Response | undefined = operation.responses[String(status)];
  if (!response && !isElsewhere) return `answers with ${status}, which it does not document`;
  if (status >= 500 && !body.includes('voice_not_ready')) return `fails with ${status}`;
  if (!headers['x-trace-id']) return 'has no x-trace-id';
  if (/node_modules|\.ts:\d|\.js:\d/.test(body.slice(0, 10_000))) return 'tells of our own code';
  if (status < 300) {
    const problem = admissionProblem({ operation, path }, wire);
    if (problem !== undefined) return problem;
  }
  return response && contentProblem(described, response, headers, body);
}

/** What is wrong with having let a request in; undefined when it had a right to be. */
function admissionProblem(
  { operation, path }: Pick<PlacedOperation, 'operation' | 'path'>,
  { holder, headers, path: address }: WireRequest,
): string | undefined {
  // What this token names is told to whoever has it; one that names nothing is told so.
  if (path.endsWith('/after') && /[?&]token=./.test(address)) return undefined;
  const { security = [], tags = [] } = operation;
  const needsKey = security.length > 0 && security.every((one) => Object.keys(one).length > 0);
  // Some doors read Authorization, in which nobody else has the operator's key.
  if (!needsKey || ('authorization' in headers && security.some((one) => 'bearer' in one))) {
    return undefined;
  }
  if (KEYLESS.includes(holder)) return 'succeeds without a key';
  if (holder === 'restricted' && !tags.includes(RESTRICTED_TAG))
    return 'succeeds without the scope';
  return holder === 'other' && OWNED.test(path) ? "shows another's things" : undefined;
}

/** Whether the server knows no such address, and says so of the very path that was asked for. */
function isAddressOfNothing({ method, path }: WireRequest, body: string): boolean {
  const message = body.startsWith('{') ? String(JSON.parse(body).detail?.message) : '';
  return message === `There is no ${method} ${path.split('?')[0]} here.`;
}

function contentProblem(
  described: OpenApiDocument,
  { content = {} }: Response,
  headers: IncomingHttpHeaders,
  body: string,
): string | undefined {
  const type = headers['content-type']?.split(';')[0] ?? '';
  if (Object.keys(content).length === 0)
    return body === '' ? undefined : 'has an undocumented body';
  const media = content[type];
  if (!media) return `comes as ${type}, which is not documented`;
  const check = checker(described, closed(media.schema));
  const values = type === 'application/x-ndjson' ? body.trimEnd().split('\n') : [body];
  const isChecked = type.endsWith('json');
  if (!isChecked || values.every((value) => check(JSON.parse(value)))) return undefined;
  return 'does not fit its schema';
}

function shown({ method, path, headers, body }: WireRequest, answer: WireAnswer): string {
  const sent = body?.subarray(0, 500).toString() ?? '';
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(headers)} ${sent}\n→ ${answer.status} ${answer.body.slice(0, 800)}`;
}

/** Over a real socket, with the path exactly as it is given. */
async function send({ method, path, headers, body, holder }: WireRequest): Promise<WireAnswer> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const length = body ? { 'content-length': String(body.length) } : {};
  const sent = request(app.url, {
    method,
    path,
    // Nobody's large body ends the connection.
    agent: holder !== 'operator' && (body?.length ?? 0) > MAX_UNKNOWN_BYTES ? false : agent,
    signal,
    headers: { ...headers, ...length },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(pieces).toString(),
  };
}

async function rawAnswer(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.setEncoding('utf8').write(bytes);
  let answer = '';
  for await (const piece of socket) answer += piece;
  return answer;
}
