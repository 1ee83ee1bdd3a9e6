import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import {
  closePayload,
  type FrameParts,
  frameBytes,
  handshakeRequest,
  OPCODE,
  RawWebSocket,
} from '../../support/raw-websocket.ts';
import type { ServerFrame } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

let server: StreamServer;
const opened: RawWebSocket[] = [];

beforeAll(async () => {
  server = await startStreamServer();
});
afterEach(() => {
  for (const raw of opened.splice(0)) raw.destroy();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const url = () => `${server.url}/v1/text-to-speech/${VOICE_ID}/stream-input`;

async function open(): Promise<RawWebSocket> {
  const raw = await RawWebSocket.open(url(), { 'xi-api-key': KEY });
  opened.push(raw);
  return raw;
}

/** Sends frames on a connection of their own. @returns the code of the server's close frame. */
async function closeAfter(...frames: readonly FrameParts[]): Promise<number | undefined> {
  const raw = await open();
  raw.send(...frames);
  return raw.closeCode();
}

/** @returns the HTTP status of the answer to a handshake with some headers changed. */
async function handshake(
  changes: Readonly<Record<string, string | undefined>>,
  method = 'GET',
): Promise<RawWebSocket & { status: number }> {
  const raw = new RawWebSocket(url());
  opened.push(raw);
  const status = await raw.request(handshakeRequest(url(), changes, method));
  return Object.assign(raw, { status });
}

const TEXT = JSON.stringify({ text: 'Grüße.', flush: true });
/** A byte inside the two that "ü" takes. */
const INSIDE_A_CHARACTER = Buffer.from(TEXT).indexOf(0xc3) + 1;

/** A valid message of exactly so many bytes, most of them in a field that nobody reads. */
function messageOf(bytes: number): string {
  const empty = JSON.stringify({ padding: '' });
  return JSON.stringify({ padding: 'x'.repeat(bytes - empty.length) });
}

/** A frame of text that makes the server answer, which shows that it still reads. */
async function isAnswered(raw: RawWebSocket): Promise<boolean> {
  raw.send({ payload: '{"text":"still here","flush":true}' });
  const frame = await raw.next(OPCODE.text);
  return String(frame.payload).includes('"audio"');
}

describe('a frame that breaks RFC 6455', () => {
  verifies('frame:unmasked', 'without a mask', async () => {
    expect(await closeAfter({ payload: TEXT, masked: false })).toBe(1002);
  });

  verifies('frame:reserved-bits', 'with a reserved bit', async () => {
    for (const reserved of [1, 2, 3, 4, 5, 6, 7]) {
      expect(await closeAfter({ payload: TEXT, reserved })).toBe(1002);
    }
  });

  verifies('frame:reserved-opcodes', 'with a reserved opcode', async () => {
    for (const opcode of [3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) {
      expect(await closeAfter({ payload: 'x', opcode })).toBe(1002);
    }
  });

  verifies('frame:control-frames', 'of control that is long or cut', async () => {
    for (const opcode of [OPCODE.ping, OPCODE.pong, OPCODE.close]) {
      expect(await closeAfter({ payload: Buffer.alloc(126), opcode })).toBe(1002);
      expect(await closeAfter({ payload: closePayload(1000), opcode, fin: false })).toBe(1002);
    }
  });

  verifies('frame:fragments', 'that continues nothing, or starts inside another', async () => {
    expect(await closeAfter({ payload: TEXT, opcode: OPCODE.continuation })).toBe(1002);
    expect(await closeAfter({ payload: 'a', fin: false }, { payload: 'b' })).toBe(1002);
  });

  verifies('frame:invalid-utf8', 'that is not UTF-8', async () => {
    const prefix = Buffer.from('{"text":"');
    const invalid = [[0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xc3]];
    for (const bytes of invalid) {
      const payload = Buffer.concat([prefix, Buffer.from(bytes)]);
      expect(await closeAfter({ payload })).toBe(1007);
    }
  });

  verifies('frame:close-codes', 'that closes with a code nobody may send', async () => {
    for (const code of [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65_535]) {
      expect(await closeAfter({ opcode: OPCODE.close, payload: closePayload(code) })).toBe(1002);
    }
    expect(await closeAfter({ opcode: OPCODE.close, payload: Buffer.of(3) })).toBe(1002);
    const garbled = closePayload(1000, Buffer.of(0xff));
    expect(await closeAfter({ opcode: OPCODE.close, payload: garbled })).toBe(1007);
  });
});

describe('a frame that is right', () => {
  verifies('frame:close-codes', 'closes with the code that it names', async () => {
    for (const code of [1000, 1001, 1008, 1011, 3000, 4999]) {
      expect(await closeAfter({ opcode: OPCODE.close, payload: closePayload(code, 'bye') })).toBe(
        code,
      );
    }
    expect(await closeAfter({ opcode: OPCODE.close })).toBe(undefined);
  });

  verifies('frame:ping', 'of ping is echoed, also inside a message', async () => {
    const raw = await open();
    const payloads = ['', 'hello', Buffer.alloc(125, 0xff)];
    const middle = Math.floor(TEXT.length / 2);
    raw.send({ payload: TEXT.slice(0, middle), fin: false });
    raw.send(...payloads.map((payload) => ({ opcode: OPCODE.ping, payload })));
    raw.send({ opcode: OPCODE.pong, payload: 'nobody asked' });
    raw.send({ opcode: OPCODE.continuation, payload: TEXT.slice(middle) });
    await raw.next(OPCODE.text);
    const pongs = raw.frames.filter(({ opcode }) => opcode === OPCODE.pong);
    expect(pongs.map(({ payload }) => payload)).toEqual(payloads.map((data) => Buffer.from(data)));
  });

  verifies('frame:split-utf8', 'may be cut inside a character', async () => {
    const raw = await open();
    const bytes = Buffer.from(TEXT);
    raw.send(
      { payload: bytes.subarray(0, INSIDE_A_CHARACTER), fin: false },
      { opcode: OPCODE.continuation, payload: '', fin: false },
      { opcode: OPCODE.continuation, payload: bytes.subarray(INSIDE_A_CHARACTER) },
    );
    const written = () =>
      (raw.messages() as ServerFrame[]).flatMap(({ alignment }) => alignment?.chars ?? []).join('');
    await expect.poll(written).toBe('Grüße. ');
  });

  verifies('frame:split-bytes', 'may come a byte at a time', async () => {
    const raw = await open();
    for (const byte of frameBytes({ payload: TEXT })) {
      raw.socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(String((await raw.next(OPCODE.text)).payload)).toContain('audio');
  });

  verifies('frame:lengths', 'may have any length up to 64 KiB', async () => {
    for (const bytes of [125, 126, 127, 65_535, 65_536]) {
      const raw = await open();
      raw.send({ payload: messageOf(bytes) });
      expect(await isAnswered(raw)).toBe(true);
    }
  });

  verifies('frame:empty', 'may be empty, and then is no JSON', async () => {
    const raw = await open();
    raw.send({ payload: '' });
    expect(await raw.closeCode()).toBe(1008);
    expect(raw.messages()).toMatchObject([{ error: 'invalid_input_message', code: 1008 }]);
  });
});

describe('a message that is too long', () => {
  verifies('frame:oversize', 'is answered in-band, then with 1009', async () => {
    for (const bytes of [65_537, 256 * 1024]) {
      const raw = await open();
      raw.send({ payload: messageOf(bytes) });
      expect(await raw.closeCode()).toBe(1009);
      expect(raw.messages()).toMatchObject([{ error: 'message_too_big', code: 1009 }]);
    }
  });

  verifies('frame:oversize', 'is refused by its head when nobody should buffer it', async () => {
    const raw = await open();
    const head = Buffer.of(0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4);
    raw.socket.write(head);
    expect(await raw.closeCode()).toBe(1009);
  });

  verifies('frame:fragment-flood', 'also when it comes in 200 000 fragments', async () => {
    const raw = await open();
    raw.send({ payload: '{', fin: false });
    const fragment = frameBytes({ opcode: OPCODE.continuation, payload: ' ', fin: false });
    raw.socket.write(Buffer.concat(Array.from({ length: 200_000 }, () => fragment)));
    expect([1008, 1009]).toContain(await raw.closeCode());
    expect(server.connections.count).toBe(0);
  });
});

describe('a handshake', () => {
  verifies('handshake:refused', 'that is not one of RFC 6455 is refused', async () => {
    const wrong: Array<Record<string, string | undefined>> = [
      { 'sec-websocket-version': '12' },
      { 'sec-websocket-version': undefined },
      { 'sec-websocket-version': 'thirteen' },
      { 'sec-websocket-key': undefined },
      { 'sec-websocket-key': '' },
      { 'sec-websocket-key': 'dG9vIHNob3J0' },
      { 'sec-websocket-protocol': ',,' },
      { upgrade: 'h2c' },
    ];
    for (const changes of wrong) expect((await handshake(changes)).status).toBe(400);
    const { head } = await handshake({ 'sec-websocket-version': '99' });
    expect(head).toMatch(/^sec-websocket-version: .*\b13\b/im);
    expect((await handshake({}, 'POST')).status).toBe(404);
  });

  verifies('handshake:missing', 'that is none is told that one is needed', async () => {
    for (const changes of [{ upgrade: undefined }, { connection: 'close' }]) {
      const { status, head } = await handshake(changes);
      expect(status).toBe(426);
      expect(head).toMatch(/^upgrade: websocket$/im);
    }
    for (const path of ['stream-input', 'multi-stream-input', 'jambonz']) {
      const address = `${server.url}/v1/text-to-speech/${VOICE_ID}/${path}`.replace('ws:', 'http:');
      const response = await fetch(address);
      expect(response.status).toBe(426);
      expect(response.headers.get('upgrade')).toBe('websocket');
      expect(await response.json()).toEqual({
        detail: {
          type: 'validation_error',
          code: 'upgrade_required',
          status: 'upgrade_required',
          message: expect.stringContaining('websocket'),
          request_id: response.headers.get('x-trace-id'),
        },
      });
    }
  });

  verifies('handshake:no-compression', 'gets no compression', async () => {
    const { status, head } = await handshake({
      'sec-websocket-extensions': 'permessage-deflate; client_max_window_bits',
    });
    expect(status).toBe(101);
    expect(head.toLowerCase()).not.toContain('extensions');
  });
});

describe('after all that', () => {
  verifies('frame:survival', 'the server has no connection left, and takes new ones', async () => {
    await expect.poll(() => server.connections.count).toBe(0);
    await expect.poll(() => server.engine.liveJobs).toBe(0);
    expect(await isAnswered(await open())).toBe(true);
  });
});
