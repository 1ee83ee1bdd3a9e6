import { once } from 'node:events';
import { createConnection } from 'node:net';
import twilio from 'twilio';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import type { CarrierMessage } from '../../src/domain/carrier.ts';
import type { Carrier, CarrierDialect } from '../../src/phone/calls/carrier.ts';
import { CARRIERS } from '../../src/phone/carriers/registry.ts';
import { carrierMessages, openDialect, transcriptsOf } from '../contract/carrier-transcripts.ts';
import { type CarrierServer, startCarrierServer } from '../support/carrier-server.ts';

const AUTH_TOKEN = '12345678901234567890123456789012';
const PUBLIC_URL = 'https://voice.example.com';
const SIGNED = [{ lineId: 'signed', secrets: { twilio: AUTH_TOKEN } }];

type Headers = Record<string, string>;

/** A carrier's end of a media stream: what comes, and how it ends. */
class CarrierEnd implements Disposable {
  readonly #socket: WebSocket;
  readonly received: Array<string | Buffer> = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: RawData, isBinary) => {
      this.received.push(isBinary ? (data as Buffer) : String(data));
    });
    this.closed = once(socket, 'close').then(([code, reason]) => ({
      code: code as number,
      reason: String(reason),
    }));
  }

  send(...messages: ReadonlyArray<string | Uint8Array | object>): void {
    for (const message of messages) {
      const isWire = typeof message === 'string' || message instanceof Uint8Array;
      this.#socket.send(isWire ? message : JSON.stringify(message));
    }
  }

  get socket(): WebSocket {
    return this.#socket;
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }
}

async function connect(server: CarrierServer, path: string, headers: Headers = {}) {
  const socket = new WebSocket(`ws://${server.host}${path}`, { headers });
  const end = new CarrierEnd(socket);
  await once(socket, 'open');
  return end;
}

/** What an upgrade is answered that is refused. */
async function refusedUpgrade(server: CarrierServer, path: string, headers: Headers = {}) {
  const socket = new WebSocket(`ws://${server.host}${path}`, { headers });
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { detail } = JSON.parse(Buffer.concat(chunks).toString()) as { detail: { code: string } };
  return { status: response.statusCode as number, detail };
}

/** The messages of a carrier's transcript up to the one with which the call starts. */
function beginningOf(carrier: Carrier) {
  for (const transcript of transcriptsOf(carrier.name)) {
    const dialect = openDialect(carrier, transcript);
    const messages: CarrierMessage[] = [];
    for (const message of carrierMessages(transcript)) {
      messages.push(message);
      if (startsWith(dialect, message)) {
        return { messages, opening: transcript.lines.find(({ open }) => open)?.open ?? {} };
      }
    }
  }
  throw new Error(`No transcript of ${carrier.name} has a call that starts.`);
}

function startsWith(dialect: CarrierDialect, message: CarrierMessage): boolean {
  try {
    return dialect.receive(message).some(({ type }) => type === 'start');
  } catch {
    return false;
  }
}

function twilioStart(customParameters: Headers = {}) {
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = {
    streamSid: 'MZ0',
    callSid: 'CA0',
    tracks: ['inbound'],
    customParameters,
    mediaFormat,
  };
  return { event: 'start', sequenceNumber: '1', streamSid: 'MZ0', start };
}

/** With the signature that Twilio would put on it. */
function signedUpgrade(path: string, authToken = AUTH_TOKEN): Headers {
  const url = `${PUBLIC_URL.replace('https', 'wss')}${path}`;
  return { 'x-twilio-signature': twilio.getExpectedTwilioSignature(authToken, url, {}) };
}

async function postSigned(server: CarrierServer, path: string, form: Headers, signedForm = form) {
  const signature = twilio.getExpectedTwilioSignature(
    AUTH_TOKEN,
    `${PUBLIC_URL}${path}`,
    signedForm,
  );
  return fetch(`http://${server.host}${path}`, {
    method: 'POST',
    headers: { 'x-twilio-signature': signature },
    body: new URLSearchParams(form),
  });
}

function parameter(document: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(document)?.[1] ?? '';
}

/** Where a TwiML document sends its carrier when the stream has ended. */
function afterAddress(document: string): string {
  const [, address = ''] = /<Redirect method="POST">([^<]+)</.exec(document) ?? [];
  return address.replaceAll('&amp;', '&');
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** The status that a request gets whose address no client would send as it is. */
async function rawStatus({ host }: CarrierServer, start: string, headers: Headers) {
  const { hostname, port } = new URL(`http://${host}`);
  const socket = createConnection(Number(port), hostname);
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`${start} HTTP/1.1`, ...fields, '', ''].join('\r\n'));
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(answer))?.[1]);
}

afterEach(() => void vi.useRealTimers());

describe('a media stream', () => {
  const streamed = CARRIERS.filter(({ transport }) => transport === 'websocket');

  it.each(streamed)('of $name is admitted by an API key, and spoken to', async (carrier) => {
    await using server = await startCarrierServer();
    const { opening, messages } = beginningOf(carrier);
    const { token: _, ...told } = opening.query ?? {};
    const search = new URLSearchParams({ ...told, api_key: server.key.secret });
    const path = `/v1/lines/default/${carrier.name}?${search}`;
    using end = await connect(server, path, opening.headers as Headers | undefined);
    for (const message of messages) {
      // A token, which is nobody's here, would be asked before the key.
      end.send(typeof message === 'string' ? message.replaceAll('"token"', '"other"') : message);
    }
    const stream = await server.mediaStreams.until(({ caller, refusal }) =>
      Boolean(caller ?? refusal),
    );
    expect(stream.caller).toMatchObject({ accountId: 'default', keyId: server.key.key.keyId });
    expect(stream.opening.line.lineId).toBe('default');
    await vi.waitFor(() => expect(end.received.join('').length).toBeGreaterThan(8000));
    expect(JSON.stringify(stream.start)).not.toContain(server.key.secret);
    expect(server.logLines.join('')).not.toContain(server.key.secret);
  });

  it('speaks to the carrier and hears its marks', async () => {
    await using server = await startCarrierServer();
    const path = '/v1/lines/default/twilio';
    using end = await connect(server, path, { 'xi-api-key': server.key.secret });
    end.send({ event: 'connected', protocol: 'Call', version: '1.0.0' }, twilioStart());
    await vi.waitFor(() => expect(end.received.length).toBe(2));
    const [media, mark] = end.received.map((message) => JSON.parse(String(message)));
    expect(Buffer.from(media.media.payload, 'base64')).toEqual(Buffer.alloc(8000, 0xff));
    expect(mark).toEqual({ event: 'mark', streamSid: 'MZ0', mark: { name: 'greeting' } });
    end.send(mark);
    await server.mediaStreams.until(({ events }) => events.at(-1)?.type === 'mark');
    end.send({ event: 'stop', streamSid: 'MZ0', stop: {} });
    expect(await end.closed).toEqual({ code: 1000, reason: '' });
    expect((await server.mediaStreams.until(({ isClosed }) => isClosed)).refusal).toBeUndefined();
  });

  it.each([
    ['header', '', { 'xi-api-key': 'KEY' }, {}],
    ['bearer token', '', { authorization: 'Bearer KEY' }, {}],
    [
      'password',
      '',
      { authorization: `Basic ${Buffer.from('sidetone:KEY').toString('base64')}` },
      {},
    ],
    ['query', '?api_key=KEY', {}, {}],
    ['parameter', '', {}, { api_key: 'KEY' }],
  ])('may carry its key as a %s', async (_place, search, headers, parameters) => {
    await using server = await startCarrierServer();
    const withKey = (text: string) => text.replaceAll('KEY', server.key.secret);
    const basic = Buffer.from(`sidetone:${server.key.secret}`).toString('base64');
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value.startsWith('Basic') ? `Basic ${basic}` : withKey(value),
      ]),
    );
    const given = Object.entries(parameters).map(([name, value]) => [name, withKey(value)]);
    using end = await connect(server, withKey(`/v1/lines/default/twilio${search}`), filled);
    end.send(twilioStart(Object.fromEntries(given)));
    const stream = await server.mediaStreams.until(({ caller, refusal }) =>
      Boolean(caller ?? refusal),
    );
    expect(stream.caller?.keyId).toBe(server.key.key.keyId);
  });

  it.each([
    ['no key at all', {}, 'authentication_required'],
    ['a wrong key', { api_key: 'sk_wrong' }, 'invalid_api_key'],
    ['a token that nobody made', { token: 'sutkn_wrong' }, 'invalid_api_key'],
  ])('with %s is closed after its start', async (_what, parameters: Headers, code) => {
    await using server = await startCarrierServer();
    using end = await connect(server, '/v1/lines/default/twilio');
    end.send(twilioStart(parameters));
    const closed = await end.closed;
    expect(closed.code).toBe(1008);
    expect(closed.reason).not.toBe('');
    const stream = await server.mediaStreams.until(({ isClosed }) => isClosed);
    expect(stream.refusal?.code).toBe(code);
    expect(end.received).toEqual([]);
    await vi.waitFor(() => expect(server.logLines.join('')).toContain(`"code":"${code}"`));
    for (const value of Object.values(parameters)) {
      expect(server.logLines.join('')).not.toContain(value);
    }
  });

  it('is refused before the upgrade where there is no such line or carrier', async () => {
    await using server = await startCarrierServer();
    for (const path of [
      'nobody/twilio',
      'default/nobody',
      'default/audiosocket',
      'default/__proto__',
    ]) {
      const { status, detail } = await refusedUpgrade(server, `/v1/lines/${path}`);
      expect([status, detail.code]).toEqual([404, 'not_found']);
    }
    expect(server.mediaStreams.streams).toEqual([]);
  });

  it('is asked for by an upgrade and nothing else', async () => {
    await using server = await startCarrierServer();
    const response = await fetch(`http://${server.host}/v1/lines/default/twilio`);
    expect(response.status).toBe(426);
    expect(response.headers.get('upgrade')).toBe('websocket');
    expect(await response.json()).toMatchObject({ detail: { code: 'upgrade_required' } });
  });

  it('is closed for a binary message where text is due, and for one that is too long', async () => {
    await using server = await startCarrierServer();
    const path = `/v1/lines/default/twilio?api_key=${server.key.secret}`;
    using binary = await connect(server, path);
    binary.send(new Uint8Array(160));
    expect((await binary.closed).code).toBe(1008);
    using long = await connect(server, path);
    long.send(twilioStart(), { event: 'media', media: { payload: 'A'.repeat(65_536) } });
    expect((await long.closed).code).toBe(1009);
    using longer = await connect(server, path);
    longer.send('x'.repeat(300_000));
    expect((await longer.closed).code).toBe(1009);
    await server.mediaStreams.until(({ isClosed }) => isClosed);
    expect(server.mediaStreams.streams.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it('is ended when the other side is gone without a word, and not while it says anything', async () => {
    await using server = await startCarrierServer();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const path = `/v1/lines/default/twilio?api_key=${server.key.secret}`;
    const open = async () => {
      const socket = new WebSocket(`ws://${server.host}${path}`, { autoPong: false });
      const end = new CarrierEnd(socket);
      await once(socket, 'open');
      return end;
    };
    using talking = await open();
    const pinged = once(talking.socket, 'ping');
    vi.advanceTimersByTime(20_000);
    await pinged;
    talking.send(twilioStart());
    await server.mediaStreams.until(({ start }) => start !== undefined);
    const pingedAgain = once(talking.socket, 'ping');
    vi.advanceTimersByTime(20_000);
    await pingedAgain;
    expect(server.mediaStreams.streams[0]?.isClosed).toBe(false);
    vi.advanceTimersByTime(20_000);
    expect((await talking.closed).code).toBe(1006);
    await server.mediaStreams.until(({ isClosed }) => isClosed);
  });
});

describe('a line with a secret', () => {
  const path = '/v1/lines/signed/twilio';

  it('answers a signed webhook with a document whose token opens one stream', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    const form = {
      CallSid: 'CA0',
      From: '+14155550100',
      To: '+14155550199',
      CallerName: "O'N & <ä>",
    };
    const answer = await postSigned(server, `${path}/call`, form);
    const document = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/xml; charset=utf-8',
    ]);
    expect(document).toContain('<Stream url="wss://voice.example.com/v1/lines/signed/twilio">');
    const after = afterAddress(document);
    expect(after).toMatch(/^https:\/\/voice.example.com\/v1\/lines\/signed\/twilio\/after\?token=/);
    const parameters = {
      token: parameter(document, 'token'),
      from: parameter(document, 'from'),
    };
    using end = await connect(server, path, signedUpgrade(path));
    end.send(twilioStart(parameters));
    const stream = await server.mediaStreams.until(({ caller, refusal }) =>
      Boolean(caller ?? refusal),
    );
    expect(stream.caller?.keyId).toBe(server.key.key.keyId);
    expect(stream.start).toMatchObject({
      from: '+14155550100',
      carrierCallId: 'CA0',
      parameters: {},
    });

    using replayed = await connect(server, path, signedUpgrade(path));
    replayed.send(twilioStart(parameters));
    expect((await replayed.closed).code).toBe(1008);
    expect(server.mediaStreams.streams.at(-1)?.refusal?.code).toBe('invalid_api_key');
    expect(server.logLines.join('')).not.toContain(parameters.token);
  });

  it('refuses an upgrade with a wrong signature, or none, before it is one', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    const withKey = { 'xi-api-key': server.key.secret };
    for (const headers of [
      {},
      withKey,
      { ...signedUpgrade(path, 'another token'), ...withKey },
      { ...signedUpgrade('/v1/lines/default/twilio'), ...withKey },
    ]) {
      const { status, detail } = await refusedUpgrade(server, path, headers);
      expect([status, detail.code]).toEqual([403, 'invalid_signature']);
    }
    expect(server.mediaStreams.streams).toEqual([]);
  });

  it('takes a signature that could be a recording together with a token or a key only', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    using bare = await connect(server, path, signedUpgrade(path));
    bare.send(twilioStart());
    expect((await bare.closed).code).toBe(1008);
    expect(server.mediaStreams.streams.at(-1)?.refusal?.code).toBe('authentication_required');
    using withKey = await connect(server, path, signedUpgrade(path));
    withKey.send(twilioStart({ api_key: server.key.secret }));
    await server.mediaStreams.until(({ caller }) => caller !== undefined);
  });

  it('answers a webhook once, and none that is changed or not signed', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    const form = { CallSid: 'CA0', From: '+14155550100' };
    const changed = { ...form, From: '+19005550100' };
    expect((await postSigned(server, `${path}/call`, changed, form)).status).toBe(403);
    const unsigned = await fetch(`http://${server.host}${path}/call?api_key=${server.key.secret}`);
    expect(unsigned.status).toBe(403);
    expect((await postSigned(server, `${path}/call`, form)).status).toBe(200);
    const again = await postSigned(server, `${path}/call`, form);
    expect([again.status, await again.json()]).toEqual([
      403,
      expect.objectContaining({ detail: expect.objectContaining({ code: 'invalid_signature' }) }),
    ]);
    // A call that was not passed on may be asked about as often as it takes.
    for (let time = 0; time < 2; time++) {
      const after = await postSigned(server, `${path}/after?call_id=CA0`, form);
      expect(await after.text()).toContain('<Hangup/>');
    }
  });

  it('reads needless slashes as they were signed, and knows a request again without them', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    const form = { CallSid: 'CA1', From: '+14155550100' };
    const doubled = `/${path}//call`;
    expect((await postSigned(server, doubled, form)).status).toBe(200);
    expect((await postSigned(server, doubled, form)).status).toBe(403);
    const signature = twilio.getExpectedTwilioSignature(
      AUTH_TOKEN,
      `${PUBLIC_URL}${path}/call`,
      form,
    );
    const post = async (spelt: string) =>
      fetch(`http://${server.host}${spelt}`, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body: new URLSearchParams(form),
      });
    expect((await post(`${path}/call`)).status).toBe(200);
    for (const spelt of [`${path}/call/`, `${path}//call`, `/${path}/call`]) {
      expect((await post(spelt)).status).toBe(403);
    }
  });

  it('asks with a signature besides the token', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    const document = await (await postSigned(server, `${path}/call`, { CallSid: 'CA0' })).text();
    const { pathname, search } = new URL(afterAddress(document));
    const call = { accountId: 'default', lineId: 'signed', carrierCallId: 'CA0' };
    const followUpToken = new URLSearchParams(search).get('token') ?? '';
    server.mediaStreams.transfers.remember({ ...call, followUpToken }, '+14155550111');
    const unsigned = await fetch(`http://${server.host}${pathname}${search}`);
    expect(unsigned.status).toBe(403);
    const signed = await postSigned(server, `${pathname}${search}`, {});
    expect(await signed.text()).toContain('<Dial>+14155550111</Dial>');
  });

  it('takes no signature for an address with a fragment, which the router would read', async () => {
    await using server = await startCarrierServer({ lines: SIGNED, publicUrl: PUBLIC_URL });
    const headers = signedUpgrade(path);
    const status = await rawStatus(server, `GET ${path}/call#format=pcm_8000`, {
      'x-twilio-signature': twilio.getExpectedTwilioSignature(
        AUTH_TOKEN,
        `${PUBLIC_URL}${path}/call`,
        {},
      ),
    });
    expect(status).toBe(403);
    expect(await rawStatus(server, `GET ${path}#api_key=x`, { ...UPGRADE, ...headers })).toBe(403);
  });

  it('is paid for by the key that it names', async () => {
    const lines = [{ ...SIGNED[0], lineId: 'signed', keyId: 'nobody' }];
    await using server = await startCarrierServer({ lines, publicUrl: PUBLIC_URL });
    const answer = await postSigned(server, `${path}/call`, { CallSid: 'CA0' });
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { detail: { message: expect.stringContaining('"nobody"') } },
    ]);
  });

  it('for a carrier that does not sign is told to be without', async () => {
    const lines = [{ lineId: 'signed', secrets: { exotel: 'x' } }];
    await using server = await startCarrierServer({ lines });
    const { status, detail } = await refusedUpgrade(server, '/v1/lines/signed/exotel');
    expect([status, detail.code]).toEqual([403, 'invalid_signature']);
  });
});

describe('a call set-up document', () => {
  it('of a line without secrets needs an API key, in whose place its next question has a token', async () => {
    await using server = await startCarrierServer();
    const address = `http://${server.host}/v1/lines/default/twilio/call`;
    expect((await fetch(address)).status).toBe(401);
    const answer = await fetch(`${address}?api_key=${server.key.secret}&CallSid=CA1&From=%2B1415`);
    const document = await answer.text();
    expect(document).toContain(`<Stream url="ws://${server.host}/v1/lines/default/twilio">`);
    expect(document).not.toContain(server.key.secret);
    expect(parameter(document, 'from')).toBe('+1415');
    const token = parameter(document, 'token');
    expect(afterAddress(document)).not.toContain(token);

    using end = await connect(server, '/v1/lines/default/twilio');
    end.send(twilioStart({ token }));
    const { followUpToken } = await server.mediaStreams.until(({ caller }) => caller !== undefined);
    expect(afterAddress(document)).toContain(followUpToken);
    const call = { accountId: 'default', lineId: 'default', carrierCallId: 'CA1', followUpToken };
    server.mediaStreams.transfers.remember(call, '+14155550111');

    const stranger = await fetch(`http://${server.host}/v1/lines/default/twilio/after?call_id=CA1`);
    expect(stranger.status).toBe(401);
    const guess = await fetch(`http://${server.host}/v1/lines/default/twilio/after?token=guess`);
    expect(await guess.text()).toContain('<Hangup/>');
    const transferred = await fetch(afterAddress(document), { method: 'POST' });
    expect(await transferred.text()).toContain('<Dial>+14155550111</Dial>');
    const again = await fetch(afterAddress(document), { method: 'POST' });
    expect(await again.text()).toContain('<Hangup/>');
    expect(server.logLines.join('')).not.toContain(server.key.secret);
    expect(server.logLines.join('')).not.toContain(followUpToken);
  });

  it('tells what follows a call to the account that it is of, and to no other', async () => {
    await using server = await startCarrierServer();
    const stranger = await server.apiKeyRegistry.create(await server.addAccount(), 'theirs');
    const call = { accountId: 'default', lineId: 'default', carrierCallId: 'CA1' };
    server.mediaStreams.transfers.remember({ ...call, followUpToken: undefined }, '+14155550111');
    const ask = async (key: string) => {
      const address = `http://${server.host}/v1/lines/default/twilio/after?call_id=CA1`;
      return (await fetch(address, { headers: { 'xi-api-key': key } })).text();
    };
    expect(await ask(stranger.secret)).toContain('<Hangup/>');
    expect(await ask(server.key.secret)).toContain('<Dial>+14155550111</Dial>');
    expect(await ask(server.key.secret)).toContain('<Hangup/>');
  });

  it('is of the address that a trusted proxy was asked', async () => {
    await using server = await startCarrierServer({ trustedProxies: ['127.0.0.1'] });
    const answer = await fetch(`http://${server.host}/v1/lines/default/plivo/call`, {
      method: 'POST',
      headers: {
        'xi-api-key': server.key.secret,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'voice.example.com',
      },
      body: new URLSearchParams({ CallUUID: 'c', From: '14155550100' }),
    });
    expect(await answer.text()).toContain('>wss://voice.example.com/v1/lines/default/plivo?token=');
  });

  it('is written for every carrier that asks for one, and opens its stream', async () => {
    await using server = await startCarrierServer();
    for (const carrier of ['twilio', 'signalwire', 'telnyx', 'plivo', 'vonage', 'exotel']) {
      const answer = await fetch(`http://${server.host}/v1/lines/default/${carrier}/call`, {
        method: 'POST',
        headers: { 'xi-api-key': server.key.secret, 'content-type': 'application/json' },
        body: JSON.stringify({ uuid: 'u', CallSid: 'CA0' }),
      });
      expect(answer.status, carrier).toBe(200);
      expect(await answer.text(), carrier).toMatch(/sutkn_[0-9A-Za-z]{49}/);
    }
  });

  it('does not exist for others, which is said with what does', async () => {
    await using server = await startCarrierServer();
    const headers = { 'xi-api-key': server.key.secret };
    for (const path of ['nobody/twilio', 'default/nobody', 'default/genesys']) {
      const answer = await fetch(`http://${server.host}/v1/lines/${path}/call`, { headers });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('is not written for a Host that is none, a body that is too long, or a format there is not', async () => {
    await using server = await startCarrierServer();
    const headers = { 'xi-api-key': server.key.secret };
    const address = `http://${server.host}/v1/lines/default/twilio/call`;
    const tooLong = await fetch(address, { method: 'POST', headers, body: 'x'.repeat(70_000) });
    expect(tooLong.status).toBe(413);
    const format = await fetch(`${address}?format=opus`, { headers });
    expect([format.status, await format.json()]).toMatchObject([
      400,
      { detail: { code: 'invalid_parameters' } },
    ]);
  });
});
