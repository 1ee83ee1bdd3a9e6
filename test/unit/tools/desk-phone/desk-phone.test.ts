import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CarrierName } from '../../../../src/domain/carrier.ts';
import { reportOf } from '../../../../src/tools/desk-phone/call-report.ts';
import { dial, placeCall } from '../../../../src/tools/desk-phone/place-call.ts';
import { base64, mulawTone } from './phone-harness.ts';

type Message = Record<string, unknown>;

/** A server of a media protocol, written here; what it was told, in order. */
async function mediaServer(answer: (socket: WebSocket, message: Message | Buffer) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const heard: (Message | Buffer)[] = [];
  const requests: { url: string | undefined; headers: Record<string, unknown> }[] = [];
  server.on('connection', (socket, { url, headers }) => {
    requests.push({ url, headers });
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? (data as Buffer) : (JSON.parse(String(data)) as Message);
      heard.push(message);
      answer(socket, message);
    });
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`ws://127.0.0.1:${port}/media`), heard, requests };
}

const isEvent = (name: string) => (message: Message | Buffer) =>
  !Buffer.isBuffer(message) && message['event'] === name;

describe('DeskPhone', () => {
  it('sends the caller in real time, every frame, and hangs up', async () => {
    const { url, heard } = await mediaServer(() => {});
    const phone = await placeCall(
      { carrier: 'twilio', url },
      { keys: '', speaks: true, bargeInMs: undefined, hangUpAtMs: 400 },
      { sampleRate: 8000, samples: new Float32Array(800).fill(0.5) },
    );
    const media = heard.filter(isEvent('media')) as { media: { timestamp: string } }[];
    const { durationMs } = phone.log;
    // However late its timers were, it has caught up.
    expect(media.length).toBeGreaterThanOrEqual(Math.floor(durationMs / 20) - 1);
    expect(media.length).toBeLessThanOrEqual(Math.ceil(durationMs / 20));
    await expect.poll(() => heard.at(-1)).toMatchObject({ event: 'stop' });
    expect(phone.log.ending).toEqual({ by: 'caller', reason: 'The caller hung up.' });
    expect(reportOf(phone.log).moments).toMatchObject([{ type: 'speech' }]);
  });

  it('hears what is said, echoes marks, and has a report of it', async () => {
    const { url, heard } = await mediaServer((socket, message) => {
      if (!isEvent('start')(message)) return;
      const { streamSid } = message as { streamSid: string };
      const payload = base64(mulawTone(1600));
      socket.send(JSON.stringify({ event: 'media', streamSid, media: { payload } }));
      socket.send(JSON.stringify({ event: 'mark', streamSid, mark: { name: 'end' } }));
    });
    const phone = await dial({ carrier: 'twilio', url });
    await phone.until(({ log }) =>
      log.marks.some(({ answeredAtMs }) => answeredAtMs !== undefined),
    );
    phone.hangUp();
    await phone.ended;
    expect(heard.filter(isEvent('mark'))).toMatchObject([{ mark: { name: 'end' } }]);
    expect(reportOf(phone.log)).toMatchObject({
      messages: 1,
      bytes: 1600,
      marks: { asked: 1, answered: 1, cleared: 0 },
      findings: [],
    });
    expect(reportOf(phone.log).heardMs).toBeCloseTo(200, 3);
  });

  it('tells who closed, and in what words', async () => {
    const { url } = await mediaServer((socket, message) => {
      if (isEvent('start')(message)) socket.close(1008, 'No such key.');
    });
    const phone = await dial({ carrier: 'twilio', url });
    await phone.ended;
    expect(phone.log.ending).toEqual({
      by: 'mishap',
      reason: 'The server closed the connection (1008). No such key.',
    });
    expect(phone.isOver).toBe(true);
  });

  it('puts the key and the parameters where each carrier has them', async () => {
    const { url, requests } = await mediaServer(() => {});
    const call = async (carrier: CarrierName) => {
      const phone = await dial({ carrier, url, apiKey: 'sk_1', parameters: { lang: 'en' } });
      phone.hangUp();
      await phone.ended;
      return requests.at(-1);
    };
    expect((await call('twilio'))?.url).toBe('/media');
    expect((await call('asterisk'))?.url).toContain('lang=en');
    expect((await call('signalwire'))?.headers).toMatchObject({ authorization: 'Bearer sk_1' });
    const genesys = await call('genesys');
    expect(genesys?.headers).toMatchObject({ 'x-api-key': 'sk_1' });
    expect(JSON.stringify(genesys?.url)).not.toContain('sk_1');
  });

  it('waits with the caller’s audio until Genesys is answered, and for its goodbye', async () => {
    let seq = 0;
    const { url, heard } = await mediaServer((socket, message) => {
      if (Buffer.isBuffer(message)) return;
      const reply = (type: string, parameters: object) =>
        socket.send(
          JSON.stringify({
            version: '2',
            type,
            seq: ++seq,
            clientseq: message['seq'],
            id: message['id'],
            parameters,
          }),
        );
      const { media } = message['parameters'] as { media: unknown };
      if (message['type'] === 'open') setTimeout(() => reply('opened', { media }), 50);
      if (message['type'] === 'close') reply('closed', {});
    });
    const phone = await dial({ carrier: 'genesys', url });
    await phone.until(({ log }) => log.caller.frames.length > 0);
    await expect.poll(() => heard[1]).toHaveLength(1600);
    phone.hangUp();
    await phone.ended;
    expect(phone.log).toMatchObject({ ending: { by: 'caller' }, findings: [] });
  });

  it('refuses what cannot be called', async () => {
    await expect(dial({ carrier: 'twilio', url: new URL('tcp://127.0.0.1:1') })).rejects.toThrow(
      'twilio connects to ws:// or wss:// addresses, not to tcp://.',
    );
    await expect(
      dial({ carrier: 'audiosocket', url: new URL('ws://127.0.0.1:1') }),
    ).rejects.toThrow('audiosocket connects to tcp://host:port');
    const url = new URL('ws://127.0.0.1:1/media');
    await expect(dial({ carrier: 'twilio', url })).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'Nobody answers at ws://127.0.0.1:1/media.',
    });
  });
});

describe('DeskPhone over AudioSocket', () => {
  async function packetServer(answer: (socket: Socket) => void) {
    const received: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('data', (bytes) => received.push(bytes));
      answer(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { url: new URL(`tcp://127.0.0.1:${port}`), received };
  }

  it('sends packets and puts those together that come in pieces', async () => {
    const packet = Buffer.concat([Buffer.from([0x10, 0x01, 0x40]), Buffer.alloc(320, 5)]);
    const { url, received } = await packetServer((socket) => {
      const bytes = Buffer.concat([packet, packet, packet]);
      socket.write(bytes.subarray(0, 2));
      setTimeout(() => socket.write(bytes.subarray(2, 400)), 20);
      setTimeout(
        () => socket.end(Buffer.concat([bytes.subarray(400), Buffer.from([0, 0, 0])])),
        40,
      );
    });
    const phone = await dial({ carrier: 'audiosocket', url });
    await phone.ended;
    expect(phone.log.ending).toEqual({ by: 'server', reason: 'The server hung up.' });
    expect(phone.log.arrivals.map(({ bytes }) => bytes)).toEqual([320, 320, 320]);
    const sent = Buffer.concat(received);
    expect([...sent.subarray(0, 3)]).toEqual([0x01, 0, 16]);
  });
});
