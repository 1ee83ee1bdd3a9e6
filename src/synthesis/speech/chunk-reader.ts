import type { MarkedChunker, MarkedOutput } from '../text/markup/marked-chunker.ts';
import { timeSlices } from './time-slices.ts';
import type { VoicePart } from './voice-part.ts';
import { WorkQueue } from './work-queue.ts';

/** What a chunker is told, in order. */
type Input =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'trigger' }
  | { readonly type: 'part'; readonly open: OpenPart }
  | Flush;

/** Opens what another voice says, when all text before it has been read. */
type OpenPart = () => VoicePart | Promise<VoicePart>;

/** Asks for all that waits. */
export interface Flush {
  readonly type: 'flush';
  /** Called when all text before it has been spoken; not if it never is. */
  readonly onFlushed?: (() => void) | undefined;
}

/** What comes of it. */
export type ChunkerOutput =
  | MarkedOutput
  /** All text before it is in chunks, because somebody asked for that. */
  | Flush
  /** What follows is said by another voice. */
  | { readonly type: 'part'; readonly part: VoicePart };

/**
 * Cuts text into chunks as they are asked for: of a long message no more is read than will soon be
 * spoken, in slices between which other connections have their turn. Read it once.
 */
export class ChunkReader {
  #chunker: MarkedChunker;
  readonly #inputs = new WorkQueue<Input>();
  #isReading = false;

  constructor(chunker: MarkedChunker) {
    this.#chunker = chunker;
  }

  /** Whether all input has been read, and what came of it taken. */
  get isDry(): boolean {
    return !this.#isReading && this.#inputs.size === 0;
  }

  /** UTF-16 units that wait to be spoken, of those read. */
  get bufferedChars(): number {
    return this.#chunker.bufferedChars;
  }

  /** As `Chunker.restart`. */
  restart(): void {
    this.#chunker.restart();
  }

  /** Takes more text, cut anywhere. */
  write(text: string): void {
    this.#inputs.push({ type: 'text', text });
  }

  /** Asks for what waits, up to the best boundary in it. */
  trigger(): void {
    this.#inputs.push({ type: 'trigger' });
  }

  /** Asks for all that waits. */
  flush(onFlushed?: Flush['onFlushed']): void {
    this.#inputs.push({ type: 'flush', onFlushed });
  }

  /** The text before is complete; another voice says what follows. */
  beginPart(open: OpenPart): void {
    this.#inputs.push({ type: 'part', open });
  }

  /** No more input follows; what was written is still read. */
  end(): void {
    this.#inputs.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChunkerOutput, void> {
    for await (const input of this.#inputs) {
      this.#isReading = true;
      for await (const outputs of this.#read(input)) yield* outputs;
      if (input.type === 'flush') yield input;
      if (input.type === 'part') yield await this.#begin(input.open);
      this.#isReading = false;
    }
  }

  async #begin(open: OpenPart): Promise<ChunkerOutput> {
    const part = await open();
    this.#chunker = part.chunker;
    return { type: 'part', part };
  }

  async *#read(input: Input): AsyncGenerator<readonly MarkedOutput[], void> {
    if (input.type === 'trigger') yield this.#chunker.trigger();
    if (input.type === 'flush' || input.type === 'part') yield this.#chunker.flush();
    if (input.type !== 'text') return;
    const slices = this.#chunker.push(input.text);
    const readSlice = () => timeSlices.run(() => slices.next());
    for (let slice = await readSlice(); !slice.done; slice = await readSlice()) yield slice.value;
  }
}
