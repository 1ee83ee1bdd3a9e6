// @ts-check

// As much of Protocol Buffers' wire format (protobuf.dev/programming-guides/encoding) as rewriting a message
// needs: its fields in order, told apart by number, contents untouched.

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/**
 * @typedef {object} Field
 * @property {number} number
 * @property {number} wireType
 * @property {number} value Of a `VARINT`, when it fits 53 bits; else 0.
 * @property {Uint8Array} content Of `BYTES`.
 * @property {Uint8Array} encoded The whole field as it was read, to be copied.
 */

/**
 * The fields of one message, in order. Nothing is copied.
 * @param {Uint8Array} message
 * @returns {Generator<Field>}
 * @throws {Error} when the bytes are no message.
 */
export function* readFields(message) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new Error('a protobuf message ends too early');
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = varint();
    const wireType = tag % 8;
    let value = 0;
    let content = message.subarray(0, 0);
    if (wireType === VARINT) value = varint();
    else if (wireType === BYTES) {
      const length = varint();
      content = message.subarray(at, at + length);
      if (content.length < length) throw new Error('a protobuf message ends too early');
      at += length;
    } else if (wireType === FIXED32 || wireType === FIXED64) at += wireType === FIXED32 ? 4 : 8;
    else throw new Error(`a protobuf message has a field of unknown type ${wireType}`);
    const encoded = message.subarray(start, at);
    yield { number: Math.floor(tag / 8), wireType, value, content, encoded };
  }
}

/**
 * @param {number} number
 * @param {number} value not negative.
 * @returns {Buffer}
 */
export function varintField(number, value) {
  return Buffer.concat([varintBytes(number * 8 + VARINT), varintBytes(value)]);
}

/**
 * @param {number} number
 * @param {Uint8Array | string} content text is written as UTF-8.
 * @returns {Buffer}
 */
export function bytesField(number, content) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([varintBytes(number * 8 + BYTES), varintBytes(bytes.length), bytes]);
}

/** @param {number} value */
function varintBytes(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
