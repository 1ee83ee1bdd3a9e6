/** Packs numbers of any width into bytes, most significant bit first. */
export class BitWriter {
  #bytes = new Uint8Array(256);
  #length = 0;
  /** The bits of the byte that is not full yet. */
  #pending = 0;
  #pendingBits = 0;

  /** @param value whose lowest `bits` are written; a negative one as two's complement. */
  write(value: number, bits: number): void {
    for (let left = bits; left > 0; ) {
      const taken = Math.min(left, 8 - this.#pendingBits);
      left -= taken;
      const part = (value >> left) & ((1 << taken) - 1);
      this.#pending = (this.#pending << taken) | part;
      this.#pendingBits += taken;
      if (this.#pendingBits === 8) this.#push();
    }
  }

  /** So many zeros, and a one that ends them. */
  writeUnary(zeros: number): void {
    for (let left = zeros; left > 0; left -= 24) this.write(0, Math.min(left, 24));
    this.write(1, 1);
  }

  /** Fills the last byte up with zeros. */
  align(): void {
    if (this.#pendingBits > 0) this.write(0, 8 - this.#pendingBits);
  }

  /** What has been written, in whole bytes; a view, good until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #push(): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length++] = this.#pending;
    this.#pending = 0;
    this.#pendingBits = 0;
  }
}
