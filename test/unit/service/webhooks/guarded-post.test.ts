import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DestinationGuard } from '../../../../src/service/webhooks/destination-guard.ts';
import {
  type GuardedPost,
  guardedPost,
  resolveHost,
} from '../../../../src/service/webhooks/guarded-post.ts';
import { WebhookReceiver } from '../../../support/webhook-receiver.ts';

const OPEN = new DestinationGuard({ allow: ['127.0.0.0/8', '::1'], allowHttp: true });
const CLOSED = new DestinationGuard({ allow: [], allowHttp: true });

function post(url: string, given: Partial<GuardedPost> = {}) {
  return guardedPost({
    url: new URL(url),
    headers: { 'x-tenant': 'seven' },
    body: '{"héllo":1}',
    guard: OPEN,
    resolve: resolveHost,
    signal: new AbortController().signal,
    ...given,
  });
}

/** A server that does what it likes with the bytes; tells how many connections it has had. */
async function rawServer(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, sockets };
}

function abortedAfter(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

describe('a guarded post', () => {
  it('sends the body and the headers, and tells what was answered', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [[429, { 'retry-after': '7' }]];
    const reply = await post(`${receiver.url}?token=1#part`);
    expect(reply).toEqual({ status: 429, retryAfter: '7' });
    const [received] = receiver.received;
    expect(received?.path).toBe('/hook?token=1');
    expect(received?.body).toBe('{"héllo":1}');
    expect(received?.headers).toEqual({
      'x-tenant': 'seven',
      host: `127.0.0.1:${receiver.port}`,
      'content-length': '12',
      connection: 'close',
    });
  });

  it('goes to a name at the address that was looked up, once', async () => {
    const receiver = await WebhookReceiver.start();
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const reply = await post(`http://hooks.example:${receiver.port}/`, { resolve });
    expect(reply.status).toBe(200);
    expect(asked).toEqual(['hooks.example']);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
  });

  it('tries the next address when one does not answer', async () => {
    const receiver = await WebhookReceiver.start();
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    const reply = await post(`http://hooks.example:${receiver.port}/`, {
      resolve: async () => addresses,
    });
    expect(reply.status).toBe(200);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const target = await WebhookReceiver.start();
    const receiver = await WebhookReceiver.start();
    for (const location of [target.url, 'http://169.254.169.254/latest/meta-data/']) {
      receiver.answers = [[status, { location }]];
      expect((await post(receiver.url)).status).toBe(status);
    }
    expect(receiver.received.length).toBe(2);
    expect(target.received).toEqual([]);
  });
});

describe('the guard of a post', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    '127.1',
  ])('keeps it from a server on this machine, written as %s', async (host) => {
    const { port, sockets } = await rawServer(() => undefined);
    const sent = post(`http://${host}:${port}/`, { guard: CLOSED });
    await expect(sent).rejects.toThrow(/not on the public internet/);
    expect(sockets).toEqual([]);
  });

  it('keeps it from a name one of whose addresses is private', async () => {
    const { port, sockets } = await rawServer(() => undefined);
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const sent = post(`http://hooks.example:${port}/`, { guard: CLOSED, resolve });
    await expect(sent).rejects.toThrow(/not on the public internet/);
    expect(sockets).toEqual([]);
  });

  it('asks a rebinding name once: the second answer is never heard', async () => {
    const receiver = await WebhookReceiver.start();
    const { port, sockets } = await rawServer(() => undefined);
    const answers = ['127.0.0.1', '127.0.0.2'];
    const guard = new DestinationGuard({ allow: ['127.0.0.1'], allowHttp: true });
    const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }];
    const first = await post(`http://rebind.example:${receiver.port}/`, { guard, resolve });
    expect(first.status).toBe(200);
    expect(answers).toEqual(['127.0.0.2']);
    const second = post(`http://rebind.example:${port}/`, { guard, resolve });
    await expect(second).rejects.toThrow(/not on the public internet/);
    expect(sockets).toEqual([]);
  });

  it('keeps it from an address with a zone', async () => {
    const resolve = async () => [{ address: 'fe80::1%lo', family: 6 }];
    const sent = post('http://hooks.example/', { guard: CLOSED, resolve });
    await expect(sent).rejects.toThrow(/not on the public internet/);
  });

  it('looks at what the socket is connected to before it sends a byte', async () => {
    let bytes = 0;
    const { port, sockets } = await rawServer((socket) => {
      socket.on('data', (data) => {
        bytes += data.length;
      });
    });
    // A guard that lets the name's address pass, and changes its mind about the socket's.
    let asked = 0;
    const guard = Object.create(OPEN, {
      permits: { value: () => asked++ === 0 },
    }) as DestinationGuard;
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const sent = post(`http://hooks.example:${port}/`, { guard, resolve });
    await expect(sent).rejects.toThrow(/not on the public internet/);
    while (sockets[0]?.closed !== true) await new Promise((done) => setTimeout(done, 5));
    expect(bytes).toBe(0);
  });

  it('speaks TLS, and only to whom it trusts', async () => {
    const receiver = await WebhookReceiver.start(true);
    const sent = post(`https://localhost:${receiver.port}/`);
    await expect(sent).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await expect(post(`https://127.0.0.1:${receiver.port}/`)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const plain = await WebhookReceiver.start();
    await expect(post(`https://127.0.0.1:${plain.port}/`)).rejects.toThrow();
    expect([...receiver.received, ...plain.received]).toEqual([]);
  });
});

describe('a receiver that misbehaves', () => {
  it.each([
    ['closes at once', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['speaks no HTTP', (socket: Socket) => socket.end('220 smtp ready\r\n')],
    [
      'switches protocols',
      (socket: Socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
    ],
    [
      'sends endless headers',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}`),
    ],
  ])('%s, and the post fails', async (_what, behave) => {
    const { url } = await rawServer((socket) => void socket.once('data', () => behave(socket)));
    await expect(post(url, { signal: abortedAfter(5_000) })).rejects.toThrow(/^(?!.*aborted due)/);
  });

  it('is not there, and the post fails', async () => {
    const receiver = await WebhookReceiver.start();
    const { url } = receiver;
    await receiver.stop();
    await expect(post(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('that never answers is left when the signal says so', async () => {
    const { url, sockets } = await rawServer(() => undefined);
    const giveUp = new AbortController();
    const sent = post(url, { signal: giveUp.signal });
    while (sockets.length === 0) await new Promise((done) => setTimeout(done, 5));
    giveUp.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    await expect(post(url, { signal: giveUp.signal })).rejects.toThrow('enough');
  });

  it('that never finishes its handshake is left as well', async () => {
    const { port } = await rawServer(() => undefined);
    const sent = post(`https://127.0.0.1:${port}/`, { signal: abortedAfter(100) });
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('whose name is never resolved is left as well', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const sent = post('http://hooks.example/', { resolve, signal: abortedAfter(50) });
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('that sends without end is read up to a limit, and its status counts', async () => {
    let sent = 0;
    const { url } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const piece = Buffer.alloc(64 * 1024);
      const more = () => {
        while (!socket.destroyed && sent < 1e9) {
          sent += piece.length;
          if (!socket.write(piece)) return void socket.once('drain', more);
        }
      };
      more();
    });
    expect((await post(url)).status).toBe(200);
    expect(sent).toBeLessThan(50e6);
  });

  it('that drips is left when the signal says so, and its status counts', async () => {
    const { url } = await rawServer((socket) => {
      socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 100\r\nretry-after: 9\r\n\r\nx');
    });
    const reply = await post(url, { signal: abortedAfter(300) });
    expect(reply).toEqual({ status: 503, retryAfter: '9' });
  });
});
