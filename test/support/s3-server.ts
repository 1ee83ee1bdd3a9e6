import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { signatureOf } from './aws-signature.ts';

const ACCESS_KEY_ID = 'TESTKEY';
/** With characters that a URL must escape. */
export const SECRET_ACCESS_KEY = 'secret/with+signs=';
const REGION = 'eu-test-1';
const BUCKET = 'bucket';
const MAX_SKEW_MS = 15 * 60_000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<scope>[^,]+), SignedHeaders=(?<names>[^,]+), Signature=(?<signature>\w{64})$/;

type Refusal = readonly [status: number, code: string];

/**
 * An S3 endpoint with one bucket in memory. As strict as the original about signatures, content
 * hashes and lengths: a client that satisfies it has done what the protocol asks.
 */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  /** Statuses that the next requests are answered with, whatever they ask. */
  readonly failures: number[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((thrown) => response.destroy(thrown));
    });
  }

  /** Runs until the test is over. */
  static async start(): Promise<S3Server> {
    const server = new S3Server();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => server.stop());
    return server;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** For `SIDETONE_S3_URL`. */
  url({ secret = SECRET_ACCESS_KEY, bucket = BUCKET } = {}): string {
    const { port } = this.#server.address() as AddressInfo;
    const user = `${ACCESS_KEY_ID}:${encodeURIComponent(secret)}`;
    return `http://${user}@127.0.0.1:${port}/${bucket}/some/folder?region=${REGION}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const failure = this.failures.shift();
    if (failure !== undefined) return refuse(response, [failure, 'SlowDown']);
    const path = new URL(request.url ?? '', 'http://x').pathname;
    const refusal =
      forgery(request, body) ?? (path.startsWith(`/${BUCKET}/`) ? undefined : NO_BUCKET);
    if (refusal) return refuse(response, refusal);
    if (request.method === 'PUT') return this.#put(path, body, request, response);
    if (request.method === 'DELETE') {
      this.objects.delete(path);
      response.writeHead(204).end();
      return;
    }
    const content = this.objects.get(path);
    if (!content) return refuse(response, [404, 'NoSuchKey']);
    sendRange(request, response, content);
  }

  #put(path: string, body: Buffer, request: IncomingMessage, response: ServerResponse): void {
    if (request.headers['content-length'] === undefined) {
      refuse(response, [411, 'MissingContentLength']);
    } else {
      this.objects.set(path, body);
      response.writeHead(200).end();
    }
  }
}

const NO_BUCKET: Refusal = [404, 'NoSuchBucket'];

/** What is wrong with who asks, or with what arrived. */
function forgery(request: IncomingMessage, body: Buffer): Refusal | undefined {
  const headers = request.headers as Record<string, string | undefined>;
  const {
    id,
    scope = '',
    names,
    signature,
  } = AUTHORIZATION.exec(headers['authorization'] ?? '')?.groups ?? {};
  if (id !== ACCESS_KEY_ID) return [403, 'InvalidAccessKeyId'];
  if (scope.split('/').slice(1).join('/') !== `${REGION}/s3/aws4_request`) {
    return [400, 'AuthorizationHeaderMalformed'];
  }
  const { pathname: path, search } = new URL(request.url ?? '', 'http://x');
  const signed = { method: request.method ?? '', path, query: search.slice(1), headers };
  const expected = signatureOf(signed, names?.split(';') ?? [], scope, SECRET_ACCESS_KEY);
  if (signature !== expected) return [403, 'SignatureDoesNotMatch'];
  const iso = (headers['x-amz-date'] ?? '').replace(
    /^(....)(..)(..)T(..)(..)(..)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  if (!(Math.abs(Date.now() - Date.parse(iso)) < MAX_SKEW_MS)) return [403, 'RequestTimeTooSkewed'];
  const claimed = headers['x-amz-content-sha256'];
  const actual = createHash('sha256').update(body).digest('hex');
  if (claimed === actual || claimed === 'UNSIGNED-PAYLOAD') return undefined;
  return [400, 'XAmzContentSHA256Mismatch'];
}

function sendRange(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
) {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const part = start ? content.subarray(Number(start), Number(end) + 1) : content;
  response.writeHead(start ? 206 : 200, { 'content-length': part.length });
  response.end(method === 'HEAD' ? undefined : part);
}

function refuse(response: ServerResponse, [status, code]: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
