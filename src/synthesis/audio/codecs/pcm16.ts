/**
 * Signed 16-bit little-endian PCM, without dither: the rounding noise of 16 bits lies 98 dB below
 * full scale, far under the noise of synthesised speech, and a seed then repeats its bytes.
 */
export const pcm16 = {
  bytesPerSample: 2,
  wavTag: 1,
  silence: Uint8Array.of(0, 0),

  /** @param samples −1…1, rounded to the nearest step; beyond is clipped, not a number is silence. */
  encode(samples: Float32Array): Uint8Array {
    const bytes = new Uint8Array(2 * samples.length);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < samples.length; index++) {
      const scaled = Math.round((samples[index] as number) * 32768);
      view.setInt16(2 * index, Math.min(32767, Math.max(-32768, scaled)), true);
    }
    return bytes;
  },

  /** @param bytes whole samples; an odd byte at the end is left out. */
  decode(bytes: Uint8Array): Float32Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const samples = new Float32Array(bytes.length >> 1);
    for (let index = 0; index < samples.length; index++) {
      samples[index] = view.getInt16(2 * index, true) / 32768;
    }
    return samples;
  },
};
