import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';

export interface LocalServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** Every request so far, newest last. */
  readonly requests: readonly http.IncomingMessage[];
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A real server on a free loopback port, over TLS when given a key and certificate. */
export async function serve(
  handler: Handler,
  identity?: { key: string; cert: string },
): Promise<LocalServer> {
  const requests: http.IncomingMessage[] = [];
  const listener: Handler = (request, response) => {
    requests.push(request);
    handler(request, response);
  };
  const server = identity ? https.createServer(identity, listener) : http.createServer(listener);
  const { origin, dispose } = await listen(server, identity ? 'https' : 'http');
  return { origin, requests, [Symbol.asyncDispose]: dispose };
}

/** A forward proxy that tunnels CONNECT and relays absolute URLs; it notes what it was asked for. */
export async function serveProxy(): Promise<LocalServer & { readonly targets: readonly string[] }> {
  const requests: http.IncomingMessage[] = [];
  const targets: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    targets.push(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    http.get(request.url ?? '', { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
  });
  server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    requests.push(request);
    targets.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const upstream = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  const { origin, dispose } = await listen(server, 'http');
  return { origin, requests, targets, [Symbol.asyncDispose]: dispose };
}

async function listen(server: http.Server, scheme: string) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dispose = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return {
    origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dispose,
  };
}

/** Serves a file the way a good hub does: strong ETag, ranges, If-Range. */
export function sendFile(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  content: Buffer,
  etag = '"v1"',
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
  const unchanged = request.headers['if-range'] === etag;
  if (Number.isNaN(start) || !unchanged) {
    response.writeHead(200, { etag, 'content-length': content.length }).end(content);
  } else if (start >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
  } else {
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    const headers = {
      etag,
      'content-range': range,
      'content-length': content.length - start,
    };
    response.writeHead(206, headers).end(content.subarray(start));
  }
}

/** Sends the head of a file and then cuts the line. */
export function sendBroken(response: http.ServerResponse, content: Buffer, bytes: number): void {
  response.writeHead(200, { etag: '"v1"', 'content-length': content.length });
  response.write(content.subarray(0, bytes), () => {
    // Later than the write, so that what was sent has left before the line dies.
    setTimeout(() => response.destroy(), 20);
  });
}
