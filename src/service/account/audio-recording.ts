import type { HistoryAlignments } from '../../domain/history-item.ts';
import { settledWithin } from './settled-within.ts';

/** What is known of a generation once it is complete. */
export interface RecordingResult {
  /** Charged for it. */
  readonly characters: number;
  /** When each character was spoken. */
  readonly alignments?: HistoryAlignments | undefined;
}

/** Audio that may wait for a slow disk: eight minutes of speech as MP3. With more, the recording is given up. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** A caller can fetch what they just heard; storage that hangs holds them up no longer than this. */
const FINISH_PATIENCE_MS = 1000;

/**
 * One generation on its way to storage. Nothing that storage does is felt by the speech: `write`
 * never waits, and no method ever fails.
 */
export class AudioRecording {
  readonly historyItemId: string;
  /** Resolves when the recording is stored or given up. */
  readonly #stored: Promise<void>;
  readonly #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #writtenBytes = 0;
  #result: RecordingResult | undefined;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  /** @param store reads the recording to its end, and never rejects. */
  constructor(historyItemId: string, store: (recording: AudioRecording) => Promise<void>) {
    this.historyItemId = historyItemId;
    // A store that fails half-way reads no more, and nothing may pile up behind it.
    this.#stored = store(this).then(() => this.#fail(new Error('storage reads no more')));
  }

  /** Audio exactly as the caller gets it, in order; not to be changed afterwards. */
  async write(audio: Uint8Array): Promise<void> {
    if (this.#failure || this.#result) return;
    this.#pieces.push(audio);
    this.#waitingBytes += audio.length;
    this.#writtenBytes += audio.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#fail(new Error('storage is too slow'));
    this.#wake();
  }

  /** The generation is complete. Resolves when it is stored, or could not be, or storage takes too long. */
  async finish(result: RecordingResult): Promise<void> {
    this.#result ??= result;
    this.#wake();
    await settledWithin(this.#stored, FINISH_PATIENCE_MS);
  }

  /** The generation came to nothing; what was written is dropped. After `finish` this does nothing. */
  async abandon(): Promise<void> {
    if (!this.#result) this.#fail(new RecordingAbandoned());
    await settledWithin(this.#stored, FINISH_PATIENCE_MS);
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /**
   * What is written, as it comes; returns what `finish` said.
   * @throws RecordingAbandoned, or Error when more waits than memory is lent for it.
   */
  async *audio(): AsyncGenerator<Uint8Array, RecordingResult> {
    while (true) {
      if (this.#failure) throw this.#failure;
      const pieces = this.#pieces.splice(0);
      this.#waitingBytes = 0;
      if (pieces.length > 0) yield Buffer.concat(pieces);
      else if (this.#result) return this.#result;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #fail(reason: Error): void {
    this.#failure ??= reason;
    this.#pieces.length = 0;
    this.#wake();
  }
}

/** The recording was not wanted after all. */
export class RecordingAbandoned extends Error {
  constructor() {
    super('The recording was abandoned.');
    this.name = 'RecordingAbandoned';
  }
}
