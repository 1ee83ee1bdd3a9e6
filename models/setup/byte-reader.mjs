// @ts-check

/** Reads counted bytes from a stream of buffers. */
export class ByteReader {
  /** @type {AsyncIterator<Buffer>} */
  #chunks;
  /** @type {Buffer} */
  #rest = Buffer.alloc(0);

  /** Bytes handed out or skipped so far. */
  position = 0;

  /** @param {AsyncIterable<Buffer>} chunks */
  constructor(chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /**
   * @param {number} count
   * @returns {Promise<Buffer | undefined>} undefined at the end of the stream.
   */
  async exactly(count) {
    if (this.#rest.length === 0 && !(await this.#refill())) return undefined;
    /** @type {Buffer[]} */
    const pieces = [];
    for await (const piece of this.stream(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /**
   * @param {number} count
   * @returns {AsyncGenerator<Buffer>} pieces that add up to `count` bytes.
   */
  async *stream(count) {
    let left = count;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#refill())) {
        throw new Error('the tarball ends too early');
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      this.position += piece.length;
      left -= piece.length;
      yield piece;
    }
  }

  /** @param {number} count */
  async skip(count) {
    for await (const _ of this.stream(count));
  }

  async #refill() {
    const next = await this.#chunks.next();
    if (next.done) return false;
    this.#rest = next.value;
    return true;
  }
}
