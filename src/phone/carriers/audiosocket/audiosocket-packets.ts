import { invalidMessage } from '../message-reader.ts';

/** What a packet is, by its first byte (docs.asterisk.org, "AudioSocket"). */
export const PACKET = { hangUp: 0x00, id: 0x01, dtmf: 0x03, error: 0xff } as const;

/** Sample rates of 16-bit little-endian PCM, by the first byte of the packets that carry it. */
export const AUDIO_RATES: ReadonlyMap<number, number> = new Map([
  [0x10, 8000],
  [0x12, 16000],
  [0x13, 24000],
  [0x14, 32000],
  [0x15, 44100],
  [0x16, 48000],
]);

/** One byte of type, two of length. */
export const HEADER_BYTES = 3;
/** 20 ms at 192 kHz, the most that Asterisk has, are 7680 bytes. */
const MAX_PAYLOAD_BYTES = 16 * 1024;

/** A packet as it is on the wire; the length is in network order. */
export function audioSocketPacket(type: number, payload: Uint8Array): Uint8Array {
  const packet = Buffer.alloc(HEADER_BYTES + payload.length);
  packet.writeUInt8(type, 0);
  packet.writeUInt16BE(payload.length, 1);
  packet.set(payload, HEADER_BYTES);
  return packet;
}

/** Cuts a TCP stream, which arrives in pieces of any size, into packets. */
export class PacketParser {
  #packet = Buffer.alloc(HEADER_BYTES);
  #filled = 0;

  /**
   * Yields the packets that are whole now, headers included, each with memory of its own.
   * @throws SpeechError `invalid_input_message` at a packet longer than any that is due; what
   *   follows cannot be told apart any more.
   */
  *push(bytes: Uint8Array): Generator<Uint8Array, void> {
    let at = 0;
    while (at < bytes.length) {
      const part = bytes.subarray(at, at + this.#packet.length - this.#filled);
      this.#packet.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === HEADER_BYTES) this.#makeRoom();
      if (this.#filled === this.#packet.length) yield this.#take();
    }
  }

  /** The header is there, and tells how much follows. */
  #makeRoom(): void {
    const payloadBytes = this.#packet.readUInt16BE(1);
    if (payloadBytes > MAX_PAYLOAD_BYTES) {
      throw invalidMessage('AudioSocket', `a packet of ${payloadBytes} bytes is too long.`);
    }
    const packet = Buffer.alloc(HEADER_BYTES + payloadBytes);
    packet.set(this.#packet.subarray(0, HEADER_BYTES));
    this.#packet = packet;
  }

  #take(): Uint8Array {
    const packet = this.#packet;
    this.#packet = Buffer.alloc(HEADER_BYTES);
    this.#filled = 0;
    return packet;
  }
}

/**
 * The id of a call, from the payload of the first packet.
 * @throws SpeechError `invalid_input_message` for anything but 16 bytes.
 */
export function uuidOf(payload: Uint8Array): string {
  if (payload.length !== 16) {
    throw invalidMessage('AudioSocket', `an id of ${payload.length} bytes is no UUID.`);
  }
  const hex = Buffer.from(payload).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
