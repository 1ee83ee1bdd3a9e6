import alawmulaw from 'alawmulaw';

const { encodeSample, decodeSample } = alawmulaw.alaw;

/** ITU-T G.711 A-law of every 16-bit sample and every byte: a lookup is all that a sample costs. */
const ENCODE_TABLE = Uint8Array.from({ length: 65536 }, (_, index) => encodeSample(index - 32768));
const DECODE_TABLE = Float32Array.from({ length: 256 }, (_, byte) => decodeSample(byte) / 32768);

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
