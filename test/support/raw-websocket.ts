import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** RFC 6455 §5.2. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface RawFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A frame as it goes over the wire, with every rule of the protocol open to be broken. */
export interface FrameParts {
  readonly opcode?: number;
  readonly payload?: string | Uint8Array;
  /** Whether it is the last fragment of its message. */
  readonly fin?: boolean;
  /** The three reserved bits, 0–7. */
  readonly reserved?: number;
  readonly masked?: boolean;
}

/** @returns the bytes of one client frame; a well-formed text frame unless told otherwise. */
export function frameBytes(parts: FrameParts): Buffer {
  const { opcode = OPCODE.text, fin = true, reserved = 0, masked = true } = parts;
  const payload = Buffer.from(parts.payload ?? '');
  const start = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const length = lengthBytes(payload.length);
  length[0] = (length[0] ?? 0) | (masked ? 0x80 : 0);
  if (!masked) return Buffer.concat([Buffer.of(start), length, payload]);
  const mask = randomBytes(4);
  const hidden = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.of(start), length, mask, hidden]);
}

function lengthBytes(length: number): Buffer {
  if (length < 126) return Buffer.of(length);
  const long = length >= 0x1_00_00;
  const bytes = Buffer.alloc(long ? 9 : 3);
  bytes[0] = long ? 127 : 126;
  if (long) bytes.writeBigUInt64BE(BigInt(length), 1);
  else bytes.writeUInt16BE(length, 1);
  return bytes;
}

/** @returns the payload of a close frame. */
export function closePayload(code: number, reason: string | Uint8Array = ''): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([payload, Buffer.from(reason)]);
}

/** The request line and headers of a correct opening handshake; `changes` of undefined leave one out. */
export function handshakeRequest(
  url: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  method = 'GET',
): string {
  const { host, pathname, search } = new URL(url);
  const headers: Record<string, string | undefined> = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** A websocket client without a library: it sends any bytes, and shows each frame as it came. */
export class RawWebSocket {
  readonly socket: Socket;
  readonly frames: RawFrame[] = [];
  /** The status line and headers of the server's answer. */
  head = '';
  isEnded = false;
  #pending = Buffer.alloc(0);
  #waiting: Array<() => void> = [];

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.setNoDelay(true);
    this.socket.on('data', (bytes) => this.#take(bytes));
    this.socket.on('error', () => this.socket.destroy());
    this.socket.on('close', () => {
      this.isEnded = true;
      this.#wakeAll();
    });
  }

  /** Sends a correct handshake and waits for the upgrade. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<RawWebSocket> {
    const raw = new RawWebSocket(url);
    await raw.request(handshakeRequest(url, headers));
    if (!raw.head.startsWith('HTTP/1.1 101')) throw new Error(`No upgrade: ${raw.head}`);
    return raw;
  }

  /** Sends a request and waits for the answer's headers. @returns its status. */
  async request(request: string): Promise<number> {
    this.socket.write(request);
    await this.#when(() => this.head !== '' || this.isEnded);
    return Number(this.head.split(' ')[1]);
  }

  send(...frames: readonly FrameParts[]): void {
    this.socket.write(Buffer.concat(frames.map(frameBytes)));
  }

  /** Waits for the first frame, of those that came and will come, with this opcode. */
  async next(opcode: number): Promise<RawFrame> {
    await this.#when(() => this.frames.some((frame) => frame.opcode === opcode) || this.isEnded);
    const frame = this.frames.find((candidate) => candidate.opcode === opcode);
    if (!frame) throw new Error(`The connection ended without a frame of opcode ${opcode}.`);
    return frame;
  }

  /** Waits for the server's close frame. @returns its code; undefined if it has none. */
  async closeCode(): Promise<number | undefined> {
    const { payload } = await this.next(OPCODE.close);
    return payload.length >= 2 ? payload.readUInt16BE() : undefined;
  }

  /** The JSON of every text frame so far. */
  messages(): Array<Record<string, unknown>> {
    return this.frames
      .filter(({ opcode }) => opcode === OPCODE.text)
      .map(({ payload }) => JSON.parse(String(payload)) as Record<string, unknown>);
  }

  destroy(): void {
    this.socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    if (this.head === '') {
      const end = this.#pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.head = this.#pending.subarray(0, end).toString('latin1');
      this.#pending = this.#pending.subarray(end + 4);
    }
    if (this.head.startsWith('HTTP/1.1 101')) while (this.#takeFrame());
    this.#wakeAll();
  }

  /** Server frames are whole messages and are not masked, so a frame is a head, a length and bytes. */
  #takeFrame(): boolean {
    const bytes = this.#pending;
    if (bytes.length < 2) return false;
    const short = (bytes[1] ?? 0) & 0x7f;
    const start = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < start) return false;
    const length =
      short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short === 126
          ? bytes.readUInt16BE(2)
          : short;
    if (bytes.length < start + length) return false;
    const payload = bytes.subarray(start, start + length);
    this.frames.push({ opcode: (bytes[0] ?? 0) & 0x0f, payload });
    this.#pending = bytes.subarray(start + length);
    return true;
  }

  async #when(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
