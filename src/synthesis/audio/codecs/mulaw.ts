/**
 * ITU-T G.711 mu-law. A byte is the inverted bits of sign, segment (3 bits) and step (4 bits). In
 * the units of 16-bit PCM (four times the standard's 14-bit ones) adding 132 to a magnitude makes
 * the standard's decision values of table 2a powers of two, which the segment then reads off.
 */
const BIAS = 132;
const MAX_MAGNITUDE = 32767 - BIAS;

const ENCODE_TABLE = Uint8Array.from({ length: 65536 }, (_, index) => encodeSample(index - 32768));
const DECODE_TABLE = Float32Array.from({ length: 256 }, (_, byte) => decodeByte(byte) / 32768);

/** Mu-law: 8 bits for the range of 14, as telephone networks carry it. */
export const mulaw = {
  bytesPerSample: 1,
  wavTag: 7,
  /** Zero's byte. A zero byte is full scale, the loudest click there is. */
  silence: Uint8Array.of(0xff),

  /** @param samples −1…1; beyond is clipped, not a number is silence. */
  encode(samples: Float32Array): Uint8Array {
    const bytes = new Uint8Array(samples.length);
    for (let index = 0; index < samples.length; index++) {
      const scaled = (samples[index] as number) * 32768;
      const clipped = Math.min(32767, Math.max(-32768, scaled));
      // Decision values are whole numbers, so cutting the fraction off keeps a sample in its interval.
      bytes[index] = ENCODE_TABLE[(clipped | 0) + 32768] as number;
    }
    return bytes;
  },

  decode(bytes: Uint8Array): Float32Array {
    return Float32Array.from(bytes, (byte) => DECODE_TABLE[byte] as number);
  },
};

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const biased = Math.min(Math.abs(sample), MAX_MAGNITUDE) + BIAS;
  const segment = 24 - Math.clz32(biased);
  const step = (biased >> (segment + 3)) & 0x0f;
  return ~(sign | (segment << 4) | step) & 0xff;
}

function decodeByte(byte: number): number {
  const bits = ~byte;
  const segment = (bits >> 4) & 0x07;
  const step = bits & 0x0f;
  const magnitude = (((step << 3) + BIAS) << segment) - BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
}
