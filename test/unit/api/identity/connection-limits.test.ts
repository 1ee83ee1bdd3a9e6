import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { refuseConnection } from '../../../../src/api/http/unreadable-request.ts';
import { ConnectionLimits } from '../../../../src/api/identity/connection-limits.ts';

const cleanUps: Array<() => unknown> = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

interface Options {
  readonly maxConnections?: number;
  readonly maxUnknownPerAddress?: number;
  readonly trusted?: boolean;
}

async function open({ maxConnections = 9, maxUnknownPerAddress = 9, trusted = false }: Options) {
  const accepted: Socket[] = [];
  const server: Server = createServer();
  const limits = new ConnectionLimits({
    maxConnections,
    maxUnknownPerAddress,
    isTrustedProxy: () => trusted,
    refuse: refuseConnection,
  });
  limits.watch(server);
  server.on('connection', (socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  const dial = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    cleanUps.push(() => socket.destroy());
    const count = accepted.length;
    await once(socket, 'connect');
    while (accepted.length === count) await new Promise((resolve) => setImmediate(resolve));
    return socket;
  };
  return { dial, limits, accepted };
}

async function answerOn(socket: Socket): Promise<string> {
  let answer = '';
  for await (const piece of socket.setEncoding('utf8')) answer += piece;
  return answer;
}

describe('connections of one address', () => {
  it('are refused with 429 and a time to wait when they are one too many', async () => {
    const { dial } = await open({ maxUnknownPerAddress: 1 });
    const first = await dial();
    const answer = await answerOn(await dial());
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer).toContain('retry-after: 10');
    expect(answer).toContain('rate_limit_exceeded');
    first.destroy();
    await expect.poll(async () => (await dial()).readyState).toBe('open');
  });

  it('do not count once somebody on them is known, nor behind a trusted proxy', async () => {
    const { dial, limits, accepted } = await open({ maxUnknownPerAddress: 1 });
    for (let bot = 0; bot < 5; bot++) {
      await dial();
      limits.recognise(accepted[bot] as Socket);
    }
    expect(accepted.every(({ destroyed }) => !destroyed)).toBe(true);
    const proxied = await open({ maxUnknownPerAddress: 1, trusted: true });
    await proxied.dial();
    await proxied.dial();
    expect(proxied.accepted.every(({ destroyed }) => !destroyed)).toBe(true);
  });
});

it('connections in all are bounded, known or not', async () => {
  const { dial, limits, accepted } = await open({ maxConnections: 1 });
  await dial();
  limits.recognise(accepted[0] as Socket);
  expect(await answerOn(await dial())).toMatch(/^HTTP\/1.1 429 /);
});
