import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { type DestinationGuard, forbiddenAddress, hostOf } from './destination-guard.ts';

/** Enough of an answer to be polite about it; what it says is of no interest. */
const MAX_REPLY_BYTES = 64 * 1024;
const HTTP_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** All addresses of a host, as the system knows them. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

export interface GuardedPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly guard: DestinationGuard;
  readonly resolve: ResolveHost;
  /** Ends it, wherever it is; its reason is what is thrown. */
  readonly signal: AbortSignal;
}

/** What a receiver's answer comes down to. */
export interface PostReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Posts a body to an address that the guard has seen: the host is looked up once, all its addresses
 * are checked, the socket goes to one of those, and what it is connected to is checked again before
 * a byte is sent. Redirects are not followed. One connection a post.
 *
 * @throws DestinationError, the signal's reason, or the error of the lookup or the socket.
 */
export async function guardedPost(post: GuardedPost): Promise<PostReply> {
  const { url, signal } = post;
  signal.throwIfAborted();
  const addresses = await checkedAddresses(post);
  const socket = connect({
    host: hostOf(url),
    port: Number(url.port || HTTP_PORTS[url.protocol]),
    lookup: answerWith(addresses),
  });
  // The request that waits for the socket hears of its error too; unheard, it would end the process.
  socket.on('error', () => undefined);
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    await once(socket, 'connect');
    if (!post.guard.permits(url, socket.remoteAddress ?? '')) throw forbiddenAddress();
    const channel = url.protocol === 'https:' ? await secured(socket, url) : socket;
    return await exchange(channel, post);
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

/** One forbidden address spoils the host: an honest one does not mix them. */
async function checkedAddresses(post: GuardedPost): Promise<readonly LookupAddress[]> {
  const { url, guard, resolve, signal } = post;
  const host = hostOf(url);
  const family = isIP(host);
  const addresses =
    family === 0 ? await untilAborted(resolve(host), signal) : [{ address: host, family }];
  if (addresses.length === 0) throw new Error('The host has no address.');
  if (addresses.every(({ address }) => guard.permits(url, address))) return addresses;
  throw forbiddenAddress();
}

/** A lookup cannot be called back, only left alone. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Node never asks this of an IP literal, which is why literals are checked before. */
function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all || !first) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}

async function secured(socket: Socket, url: URL): Promise<Socket> {
  const host = hostOf(url);
  const channel = connectSecurely({
    socket,
    host,
    // An address is not a server name (RFC 6066 §3); certificates are checked against `host` then.
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
  });
  channel.on('error', () => undefined);
  socket.once('close', () => channel.destroy(socket.errored ?? undefined));
  await once(channel, 'secureConnect');
  return channel;
}

function exchange(channel: Socket, { url, headers, body }: GuardedPost): Promise<PostReply> {
  return new Promise((resolve, reject) => {
    let reply: PostReply | undefined;
    const request = httpRequest({
      createConnection: () => channel,
      method: 'POST',
      path: url.pathname + url.search,
      setHost: false,
      headers: {
        ...headers,
        host: url.host,
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      },
    });
    request.on('response', (response) => {
      reply = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
      discard(response);
    });
    // Nobody asked for one, and without a listener nothing would be heard of the request again.
    request.on('upgrade', () => channel.destroy());
    request.on('error', () => undefined);
    channel.on('close', () => {
      // The status has decided; how the rest of the answer went does not matter.
      if (reply) resolve(reply);
      else reject(channel.errored ?? new Error('The connection was closed without an answer.'));
    });
    request.end(body);
  });
}

/** Reads on, so that the receiver can finish what it says, but not endlessly. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (data: Buffer) => {
    bytes += data.length;
    if (bytes > MAX_REPLY_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
  response.on('end', () => response.socket.destroy());
}
