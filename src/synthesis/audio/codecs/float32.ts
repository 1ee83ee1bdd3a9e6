/** 32-bit little-endian IEEE floating point, as engines and sound libraries hold samples. */
export const float32 = {
  bytesPerSample: 4,
  wavTag: 3,
  silence: Uint8Array.of(0, 0, 0, 0),

  /** @param samples −1…1; beyond is clipped, not a number is silence. */
  encode(samples: Float32Array): Uint8Array {
    const bytes = new Uint8Array(4 * samples.length);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < samples.length; index++) {
      const clipped = Math.min(1, Math.max(-1, samples[index] as number));
      view.setFloat32(4 * index, Number.isNaN(clipped) ? 0 : clipped, true);
    }
    return bytes;
  },

  /** @param bytes whole samples; bytes at the end that are no sample are left out. */
  decode(bytes: Uint8Array): Float32Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Float32Array.from({ length: bytes.length >> 2 }, (_, index) =>
      view.getFloat32(4 * index, true),
    );
  },
};
