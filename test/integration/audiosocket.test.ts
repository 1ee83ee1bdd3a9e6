import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHttp } from '../../src/api/http/open-http.ts';
import { guardRoutes } from '../../src/api/identity/guard-routes.ts';
import type { Caller } from '../../src/domain/account.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import type { CarrierEvent } from '../../src/phone/calls/carrier.ts';
import type { Line } from '../../src/phone/calls/line.ts';
import type { MediaStreamHandler, StreamOpening } from '../../src/phone/calls/media-stream.ts';
import { AudioSocketCalls } from '../../src/phone/carriers/audiosocket/audiosocket-calls.ts';
import type { AudioSocketDoor } from '../../src/phone/carriers/audiosocket/audiosocket-connection.ts';
import {
  audioSocketPacket,
  PacketParser,
} from '../../src/phone/carriers/audiosocket/audiosocket-packets.ts';
import { audioSocketRoutes } from '../../src/phone/carriers/audiosocket/audiosocket-routes.ts';
import { AudioSocketServer } from '../../src/phone/carriers/audiosocket/audiosocket-server.ts';
import { noTokens } from '../support/no-tokens.ts';

const LINE: Line = {
  lineId: 'sales',
  keyId: undefined,
  voiceId: undefined,
  modelId: undefined,
  voiceSettings: {},
  latencyLevel: 3,
  bot: { type: 'attach', waitMs: 10_000 },
  bargeIn: { onSpeech: false, onDtmf: false },
  botLoss: { finishesSpeech: true, apology: undefined },
  transfers: undefined,
  secrets: {},
};
const CALLER: Caller = {
  accountId: 'default',
  tier: 'free',
  concurrencyLimit: null,
  keyId: 'key-1',
  keyHash: '0'.repeat(64),
  scopes: 'all',
};
const HANG_UP = [0, 0, 0];
const FRAME = audioSocketPacket(0x10, new Uint8Array(320).fill(7));
const idPacket = (uuid: string) =>
  audioSocketPacket(0x01, Buffer.from(uuid.replaceAll('-', ''), 'hex'));

/** Keeps what a real desk would be told; the events are those that the dialect makes of it. */
class RecordingStreamHandler implements MediaStreamHandler {
  readonly openings: StreamOpening[] = [];
  readonly events: CarrierEvent[] = [];
  closedCount = 0;
  #waiting: Array<() => void> = [];

  open(opening: StreamOpening) {
    this.openings.push(opening);
    this.#wake();
    return {
      receive: (message: string | Uint8Array) => {
        this.events.push(...opening.dialect.receive(message));
        this.#wake();
      },
      closed: () => {
        this.closedCount++;
        this.#wake();
      },
    };
  }

  takeTransfer(): undefined {
    return undefined;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** An Asterisk, as far as the connection goes. */
class Peer {
  readonly socket: Socket;
  readonly packets: number[][] = [];
  readonly ended: Promise<unknown>;
  readonly #parser = new PacketParser();
  #waiting: Array<() => void> = [];

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.on('data', (bytes) => {
      for (const packet of this.#parser.push(bytes)) this.packets.push([...packet]);
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
    this.ended = once(this.socket, 'close');
  }

  async untilPackets(count: number): Promise<void> {
    while (this.packets.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }
}

const cleanUps: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const MANY = { maxConnections: 1000, maxUnknownPerAddress: 1000 };

async function start(options: Partial<AudioSocketDoor> = {}, limits = MANY) {
  const mediaStreams = new RecordingStreamHandler();
  const calls = new AudioSocketCalls(() => performance.now());
  const warnings: string[] = [];
  const log: AudioSocketDoor['log'] = {
    warn: (...words: unknown[]) => warnings.push(words.map((word) => JSON.stringify(word)).join()),
  };
  const server = new AudioSocketServer({ mediaStreams, calls, log, ...options }, limits);
  const { port } = await server.listen('127.0.0.1', 0);
  cleanUps.push(() => server.close());
  const announce = (parameters = {}) =>
    calls.announce({ line: LINE, caller: CALLER, parameters }).uuid;
  const peer = () => {
    const made = new Peer(port);
    cleanUps.push(async () => made.socket.destroy());
    return made;
  };
  return { mediaStreams, calls, server, warnings, announce, peer };
}

describe('the AudioSocket server', () => {
  it('makes a call of an announced connection, however its packets arrive', async () => {
    const { mediaStreams, announce, peer, warnings } = await start();
    const uuid = announce({ from: '1000' });
    const stream = Buffer.concat([
      idPacket(uuid),
      FRAME,
      audioSocketPacket(0x03, Buffer.from('5')),
      FRAME,
    ]);
    const asterisk = peer();
    for (let at = 0; at < stream.length; at += 97) {
      asterisk.socket.write(stream.subarray(at, at + 97));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await mediaStreams.until(() => mediaStreams.events.length >= 4);
    expect(mediaStreams.events.map(({ type }) => type)).toEqual([
      'start',
      'caller-audio',
      'dtmf',
      'caller-audio',
    ]);
    expect(mediaStreams.events[0]).toMatchObject({ start: { streamId: uuid, from: '1000' } });
    const [opening] = mediaStreams.openings as [StreamOpening];
    expect(opening).toMatchObject({ line: LINE, carrier: { name: 'audiosocket' } });
    const [first] = mediaStreams.events;
    if (first?.type !== 'start') throw new Error('The call has not started.');
    expect(await opening.admit(first.start)).toEqual({ caller: CALLER });

    opening.connection.send(opening.dialect.play(new Uint8Array(640).fill(9)));
    await asterisk.untilPackets(2);
    const spoken = [...audioSocketPacket(0x10, new Uint8Array(320).fill(9))];
    expect(asterisk.packets).toEqual([spoken, spoken]);
    expect(warnings).toEqual([]);
  });

  it('writes what was sent before it closes', async () => {
    const { mediaStreams, announce, peer } = await start();
    const asterisk = peer();
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME]));
    await mediaStreams.until(() => mediaStreams.events.length >= 2);
    const [{ connection, dialect }] = mediaStreams.openings as [StreamOpening];
    connection.send(dialect.play(new Uint8Array(320)));
    connection.send(dialect.hangUp());
    connection.close();
    connection.close();
    connection.send(dialect.play(new Uint8Array(320)));
    await asterisk.ended;
    expect(asterisk.packets.map(([type]) => type)).toEqual([0x10, 0x00]);
    await mediaStreams.until(() => mediaStreams.closedCount > 0);
    expect(mediaStreams.closedCount).toBe(1);
  });

  it('hangs up on a call that its handler gives up, and says why in the log', async () => {
    const { mediaStreams, announce, peer, warnings } = await start();
    const asterisk = peer();
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME]));
    await mediaStreams.until(() => mediaStreams.events.length >= 2);
    const [{ connection }] = mediaStreams.openings as [StreamOpening];
    connection.close(new SpeechError('quota_exceeded', 'No characters are left.'));
    await asterisk.ended;
    expect(asterisk.packets).toEqual([HANG_UP]);
    expect(warnings.join()).toMatch(/No characters are left/);
  });

  it('refuses an id that nobody announced, and one that is used a second time', async () => {
    const { mediaStreams, announce, peer, warnings } = await start();
    const stranger = peer();
    stranger.socket.write(idPacket('40325ec2-f4bd-4f9f-b3e7-b7f9e1d2c3a4'));
    await stranger.ended;
    expect(stranger.packets).toEqual([HANG_UP]);
    const uuid = announce();
    const first = peer();
    first.socket.write(idPacket(uuid));
    await mediaStreams.until(() => mediaStreams.openings.length === 1);
    const second = peer();
    second.socket.write(idPacket(uuid));
    await second.ended;
    expect(second.packets).toEqual([HANG_UP]);
    expect(mediaStreams.openings).toHaveLength(1);
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toMatch(/announced call/);
    expect(warnings.join()).not.toContain(uuid);
  });

  it.each([
    ['audio first', FRAME],
    ['an id of the wrong length', audioSocketPacket(0x01, new Uint8Array(4))],
    ['a packet that is too long', Uint8Array.of(0x10, 0xff, 0xff)],
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n')],
  ])('hangs up on %s', async (_, bytes) => {
    const { mediaStreams, peer, warnings } = await start();
    const asterisk = peer();
    asterisk.socket.write(bytes);
    await asterisk.ended;
    expect(asterisk.packets).toEqual([HANG_UP]);
    expect(mediaStreams.openings).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it('ends a call whose packets cannot be told apart any more', async () => {
    const { mediaStreams, announce, peer, warnings } = await start();
    const asterisk = peer();
    const tooLong = Uint8Array.of(0x10, 0xff, 0xff);
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME, tooLong, FRAME]));
    await asterisk.ended;
    await mediaStreams.until(() => mediaStreams.closedCount === 1);
    expect(asterisk.packets).toEqual([HANG_UP]);
    expect(warnings.join()).toMatch(/too long/);
  });

  it('hangs up on a peer that says nothing', async () => {
    const { peer, warnings, server } = await start({ idDeadlineMs: 30 });
    const asterisk = peer();
    await asterisk.ended;
    expect(asterisk.packets).toEqual([HANG_UP]);
    expect(warnings.join()).toMatch(/named no call in time/);
    await vi.waitFor(() => expect(server.connectionCount).toBe(0));
  });

  it('hangs up on a peer that names no call, however it drips bytes', async () => {
    const { peer, warnings } = await start({ idDeadlineMs: 200 });
    const asterisk = peer();
    const drip = setInterval(() => asterisk.socket.write(Buffer.of(1)), 20);
    // A packet that would not be whole for many seconds.
    asterisk.socket.write(Buffer.of(0x10, 1, 0x40));
    await asterisk.ended;
    clearInterval(drip);
    expect(warnings.join()).toMatch(/named no call/);
  });

  it('bounds the connections of an address until they name a call, and those in all', async () => {
    const limits = { maxConnections: 3, maxUnknownPerAddress: 2 };
    const { announce, peer, server, mediaStreams } = await start({}, limits);
    const calls = [peer(), peer()];
    for (const call of calls) await once(call.socket, 'connect');
    await peer().ended;
    expect(server.connectionCount).toBe(2);
    for (const call of calls) call.socket.write(idPacket(announce()));
    await mediaStreams.until(() => mediaStreams.openings.length === 2);
    const third = peer();
    await once(third.socket, 'connect');
    await vi.waitFor(() => expect(server.connectionCount).toBe(3));
    await peer().ended;
    expect(server.connectionCount).toBe(3);
  });

  it('hangs up on a caller whose Asterisk has fallen silent', async () => {
    const { mediaStreams, announce, peer, warnings } = await start({ silenceDeadlineMs: 50 });
    const asterisk = peer();
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME]));
    await asterisk.ended;
    expect(asterisk.packets).toEqual([HANG_UP]);
    expect(warnings.join()).toMatch(/sent nothing for too long/);
    await mediaStreams.until(() => mediaStreams.closedCount === 1);
  });

  it.each([
    ['closes its half', (socket: Socket) => socket.end()],
    ['is gone', (socket: Socket) => socket.resetAndDestroy()],
  ])('tells the handler once when the peer %s', async (_, leave) => {
    const { mediaStreams, announce, peer, server } = await start();
    const asterisk = peer();
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME]));
    await mediaStreams.until(() => mediaStreams.events.length >= 2);
    leave(asterisk.socket);
    await mediaStreams.until(() => mediaStreams.closedCount > 0);
    expect(mediaStreams.closedCount).toBe(1);
    await vi.waitFor(() => expect(server.connectionCount).toBe(0));
    const [{ connection, dialect }] = mediaStreams.openings as [StreamOpening];
    connection.send(dialect.play(new Uint8Array(320)));
    connection.close();
  });

  it('cuts a peer that does not take what it is sent', async () => {
    const { mediaStreams, announce, peer, warnings } = await start();
    const asterisk = peer();
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME]));
    await mediaStreams.until(() => mediaStreams.events.length >= 2);
    asterisk.socket.pause();
    const [{ connection, dialect }] = mediaStreams.openings as [StreamOpening];
    let mostUnsent = 0;
    while (mediaStreams.closedCount === 0) {
      connection.send(dialect.play(new Uint8Array(320 * 50)));
      mostUnsent = Math.max(mostUnsent, connection.unsentBytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(warnings.join()).toMatch(/does not take/);
    expect(mostUnsent).toBeLessThan(200_000);
  });

  it('hangs up when the server closes', async () => {
    const { mediaStreams, announce, peer, server } = await start();
    const asterisk = peer();
    asterisk.socket.write(Buffer.concat([idPacket(announce()), FRAME]));
    await mediaStreams.until(() => mediaStreams.events.length >= 2);
    await Promise.all([server.close(), asterisk.ended]);
    expect(asterisk.packets).toEqual([HANG_UP]);
    expect(mediaStreams.closedCount).toBe(1);
    await server.close();
  });

  it('listens once to a port', async () => {
    const { calls, mediaStreams } = await start();
    const log = { warn: () => undefined };
    const [first, second] = [1, 2].map(
      () => new AudioSocketServer({ mediaStreams, calls, log }, MANY),
    );
    if (!first || !second) throw new Error('There are no servers.');
    const { port } = await first.listen('127.0.0.1', 0);
    cleanUps.push(() => first.close());
    await expect(second.listen('127.0.0.1', port)).rejects.toThrow(/EADDRINUSE/);
    await second.close();
  });
});

describe('announcing a call', () => {
  async function open() {
    const calls = new AudioSocketCalls(() => performance.now());
    const app = openHttp(pino({ level: 'silent' }));
    guardRoutes(app, {
      authenticate: async (key) => {
        if (key === 'right') return CALLER;
        throw new SpeechError('invalid_api_key', 'Wrong key.');
      },
      redeem: noTokens,
    });
    audioSocketRoutes(app, {
      calls,
      lines: { find: (lineId) => (lineId === 'sales' ? LINE : undefined) },
    });
    await app.ready();
    cleanUps.push(() => app.close());
    return { app, calls };
  }

  it.each(['GET', 'POST'] as const)('answers CURL() by %s with the bare id', async (method) => {
    const { app, calls } = await open();
    const reply = await app.inject({
      method,
      url: '/v1/lines/sales/audiosocket/call?from=1000&rate=16000&api_key=right',
      ...(method === 'POST' && {
        payload: 'x=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    const call = calls.claim(reply.body);
    expect(call).toMatchObject({ line: LINE, caller: CALLER });
    expect(call?.parameters).toMatchObject({ from: '1000', rate: '16000' });
  });

  it('answers others in JSON', async () => {
    const { app, calls } = await open();
    const credentials = Buffer.from('asterisk:right').toString('base64');
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/lines/sales/audiosocket/call',
      headers: { accept: 'application/json', authorization: `Basic ${credentials}` },
    });
    const { uuid, valid_for_ms } = reply.json<{ uuid: string; valid_for_ms: number }>();
    expect(valid_for_ms).toBe(60_000);
    expect(calls.claim(uuid)).toBeDefined();
  });

  it.each([
    ['/v1/lines/sales/audiosocket/call', 401],
    ['/v1/lines/sales/audiosocket/call?api_key=wrong', 401],
    ['/v1/lines/other/audiosocket/call?api_key=right', 404],
  ])('refuses %s', async (url, status) => {
    const { app } = await open();
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(status);
  });
});
