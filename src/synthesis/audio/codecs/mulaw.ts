import alawmulaw from 'alawmulaw';

const { encodeSample, decodeSample } = alawmulaw.mulaw;

/** ITU-T G.711 mu-law of every 16-bit sample and every byte: a lookup is all that a sample costs. */
const ENCODE_TABLE = Uint8Array.from({ length: 65536 }, (_, index) => encodeSample(index - 32768));
const DECODE_TABLE = Float32Array.from({ length: 256 }, (_, byte) => decodeSample(byte) / 32768);

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
