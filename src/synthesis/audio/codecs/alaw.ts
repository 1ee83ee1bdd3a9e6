/**
 * ITU-T G.711 A-law. A byte is sign (1 is positive), segment (3 bits) and step (4 bits), with every
 * second bit inverted. There is no zero: intervals meet there, so the least magnitude is 8 of 32768.
 */
const EVEN_BITS = 0x55;

const ENCODE_TABLE = Uint8Array.from({ length: 65536 }, (_, index) => encodeSample(index - 32768));
const DECODE_TABLE = Float32Array.from({ length: 256 }, (_, byte) => decodeByte(byte) / 32768);

/** A-law: 8 bits for the range of 13, as telephone networks outside North America and Japan carry it. */
export const alaw = {
  bytesPerSample: 1,
  wavTag: 6,
  /** The byte of the least positive interval. */
  silence: Uint8Array.of(0xd5),

  /** @param samples −1…1; beyond is clipped, not a number is silence. */
  encode(samples: Float32Array): Uint8Array {
    const bytes = new Uint8Array(samples.length);
    for (let index = 0; index < samples.length; index++) {
      // Rounding down, not towards zero: what is barely negative belongs below zero.
      const scaled = Math.floor((samples[index] as number) * 32768);
      const clipped = Math.min(32767, Math.max(-32768, scaled));
      bytes[index] = ENCODE_TABLE[(clipped | 0) + 32768] as number;
    }
    return bytes;
  },

  decode(bytes: Uint8Array): Float32Array {
    return Float32Array.from(bytes, (byte) => DECODE_TABLE[byte] as number);
  },
};

/** A negative interval mirrors a positive one, which ones' complement does without overflow at −32768. */
function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = sample < 0 ? ~sample : sample;
  const segment = Math.max(0, 24 - Math.clz32(magnitude));
  const step = (magnitude >> (Math.max(1, segment) + 3)) & 0x0f;
  return (sign | (segment << 4) | step) ^ EVEN_BITS;
}

/** The middle of the byte's interval. */
function decodeByte(byte: number): number {
  const bits = byte ^ EVEN_BITS;
  const segment = (bits >> 4) & 0x07;
  const step = bits & 0x0f;
  const magnitude = segment === 0 ? 16 * step + 8 : (16 * step + 264) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}
