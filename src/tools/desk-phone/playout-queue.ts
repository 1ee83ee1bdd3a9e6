type Item = Uint8Array | { readonly mark: string };

/** Audio and marks in the order in which they are to be heard. */
export class PlayoutQueue {
  #items: Item[] = [];
  /** Items before it are gone; they are thrown away now and then. */
  #head = 0;
  #bytes = 0;

  /** Audio that waits. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  /** Audio before the first mark, or all of it. */
  get bytesBeforeMark(): number {
    let bytes = 0;
    for (let index = this.#head; index < this.#items.length; index++) {
      const item = this.#items[index] as Item;
      if (!(item instanceof Uint8Array)) break;
      bytes += item.length;
    }
    return bytes;
  }

  pushAudio(audio: Uint8Array): void {
    if (audio.length === 0) return;
    this.#items.push(audio);
    this.#bytes += audio.length;
  }

  pushMark(mark: string): void {
    this.#items.push({ mark });
  }

  /** Takes up to so many bytes, and nothing behind a mark. */
  takeBeforeMark(bytes: number): readonly Uint8Array[] {
    const taken: Uint8Array[] = [];
    let left = bytes;
    while (left > 0) {
      const item = this.#items[this.#head];
      if (!(item instanceof Uint8Array)) break;
      const piece = item.subarray(0, left);
      left -= piece.length;
      this.#bytes -= piece.length;
      taken.push(piece);
      if (piece.length === item.length) this.#drop();
      else this.#items[this.#head] = item.subarray(piece.length);
    }
    return taken;
  }

  /** Takes up to so many bytes from among the marks, which stay. */
  takeAcrossMarks(bytes: number): readonly Uint8Array[] {
    const taken: Uint8Array[] = [];
    const marks: string[] = [];
    let left = bytes;
    while (left > 0 && this.#bytes > 0) {
      marks.push(...this.takeLeadingMarks());
      const pieces = this.takeBeforeMark(left);
      left -= pieces.reduce((sum, piece) => sum + piece.length, 0);
      taken.push(...pieces);
    }
    const rest = this.#items.slice(this.#head);
    this.#items = [...marks.map((mark) => ({ mark })), ...rest];
    this.#head = 0;
    return taken;
  }

  takeLeadingMarks(): readonly string[] {
    const marks: string[] = [];
    while (this.#head < this.#items.length) {
      const item = this.#items[this.#head] as Item;
      if (item instanceof Uint8Array) break;
      marks.push(item.mark);
      this.#drop();
    }
    return marks;
  }

  /** Empties the queue. @returns the marks that were in it. */
  clear(): readonly string[] {
    const marks = this.#items
      .slice(this.#head)
      .flatMap((item) => (item instanceof Uint8Array ? [] : [item.mark]));
    this.#items = [];
    this.#head = 0;
    this.#bytes = 0;
    return marks;
  }

  #drop(): void {
    this.#head++;
    if (this.#head < 64 || this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
