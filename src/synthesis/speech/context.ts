import { countCharacters } from '../../domain/characters.ts';
import { type SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { Pause } from '../text/markup/marked-chunker.ts';
import type { PendingChunk } from './chunk-preparer.ts';
import { ChunkReader, type Flush } from './chunk-reader.ts';
import type { DialogueVoice } from './messages.ts';
import type { SpeechPipeline } from './speech-pipeline.ts';
import type { Utterance } from './utterance.ts';
import type { VoicePart } from './voice-part.ts';
import { WorkQueue } from './work-queue.ts';

type ContextState = 'open' | 'ending' | 'closed';
type ContextInput = 'close' | 'cancel' | 'spoken' | 'failed';

/** An absent cell means that the input changes nothing. A second close is a barge-in: see `close`. */
const NEXT: Record<ContextState, Partial<Record<ContextInput, ContextState>>> = {
  open: { close: 'ending', cancel: 'closed', failed: 'closed' },
  ending: { close: 'closed', cancel: 'closed', spoken: 'closed', failed: 'closed' },
  closed: {},
};

export function nextState(state: ContextState, input: ContextInput): ContextState {
  return NEXT[state][input] ?? state;
}

/**
 * Chunks that are prepared while another is spoken: enough that the engine never waits for the front
 * end, and few, because what a client sends at once may take the front end seconds.
 */
const PREPARED_AHEAD = 2;

type Work = { readonly type: 'chunk'; readonly chunk: PendingChunk } | Pause | Flush;

/** Called exactly once, when nothing more will be heard; `error` when that was not the caller's wish. */
export type ContextClosed = (error: SpeechError | undefined) => void;

/** One independently cancellable stream of text, spoken in order. */
export class Context {
  readonly id: string;
  readonly #begin: () => SpeechPipeline;
  readonly #onClosed: ContextClosed;
  readonly #now: () => number;
  readonly #work = new WorkQueue<Work>();
  readonly #abort = new AbortController();
  #state: ContextState = 'open';
  #pipeline: SpeechPipeline | undefined;
  #reader: ChunkReader | undefined;
  #utterance: Utterance | undefined;
  /** Who says what comes next, in a dialogue. */
  #voiceId: string | undefined;
  #speaking = false;
  #waitingChars = 0;
  #chunkNumber = 0;
  #activeAtMs: number;

  /**
   * @param begin chooses what it speaks with, when its first text arrives: settings may come late, and
   *   those of the voice until the first chunk is cut.
   * @param now milliseconds that never go back.
   */
  constructor(
    id: string,
    begin: () => SpeechPipeline,
    onClosed: ContextClosed,
    now: () => number = () => performance.now(),
  ) {
    this.id = id;
    this.#begin = begin;
    this.#onClosed = onClosed;
    this.#now = now;
    this.#activeAtMs = now();
    void this.#run();
  }

  get state(): ContextState {
    return this.#state;
  }

  /** Whether audio is being made or is waiting to be. */
  get busy(): boolean {
    return this.#speaking || this.#work.size > 0 || this.#reader?.isDry === false;
  }

  /** Whether it has spoken all that it was sent, and waits for more. */
  get isIdle(): boolean {
    return !this.busy && (this.#reader?.bufferedChars ?? 0) === 0;
  }

  /** How long nothing has been said in it or to it. */
  get idleMs(): number {
    return this.busy ? 0 : this.#now() - this.#activeAtMs;
  }

  /** Of the chunk that is being spoken, or was last; 0 before the first. */
  get chunkNumber(): number {
    return this.#chunkNumber;
  }

  /** Characters of text that are still to be spoken. */
  get waitingChars(): number {
    return this.#waitingChars;
  }

  /** Resets the idle time. */
  touch(): void {
    this.#activeAtMs = this.#now();
  }

  /**
   * Takes text as it is written. A leading blank is the protocol's way to say hello: not text.
   * @param by who says it; whoever spoke last unless given.
   * @throws SpeechError when the context has no such voice.
   */
  text(text: string, trigger: boolean, by?: DialogueVoice): void {
    if (this.#state !== 'open') return;
    this.touch();
    if (!this.#pipeline && text.trim() === '') return;
    this.#pipeline ??= this.#begin();
    this.#reader ??= this.#startReading(this.#pipeline);
    if (!this.busy && this.#utterance?.isHeard) this.#reader.restart();
    if (by) this.#beginPart(by, this.#reader, this.#pipeline);
    this.#waitingChars += countCharacters(text);
    this.#reader.write(text);
    if (trigger) this.#reader.trigger();
  }

  /**
   * Speaks everything buffered, whether or not it looks complete.
   * @param onFlushed called when that is done, at once where there is nothing; never after an end.
   */
  flush(onFlushed?: () => void): void {
    this.touch();
    if (this.#state !== 'open') return;
    if (this.#reader) this.#reader.flush(onFlushed);
    else onFlushed?.();
  }

  /**
   * No more text: what was sent is still spoken, since clients close right after their last text.
   * Closing again, before it has all been spoken, is how a client says that nobody listens any more.
   */
  close(): void {
    if (this.#state === 'open') {
      this.flush();
      this.#pipeline?.turn?.close();
      if (this.#reader) this.#reader.end();
      else this.#work.end();
      this.#state = nextState(this.#state, 'close');
    } else {
      this.cancel();
    }
  }

  /** Stops at once; work in progress is dropped within one window. */
  cancel(): void {
    this.#finish('cancel', undefined);
  }

  /** Stops at once, because of an error that its owner is told about. */
  fail(error: SpeechError): void {
    this.#finish('failed', error);
  }

  #beginPart(
    { voiceId, isNewTurn }: DialogueVoice,
    reader: ChunkReader,
    { openPart }: SpeechPipeline,
  ): void {
    if (!openPart || (voiceId === this.#voiceId && !isNewTurn)) return;
    const part = openPart(voiceId);
    // Told when its turn comes; until then a failure must not count as unhandled.
    part.catch(() => undefined);
    this.#voiceId = voiceId;
    reader.beginPart(() => part);
  }

  #startReading(pipeline: SpeechPipeline): ChunkReader {
    const reader = new ChunkReader(pipeline.chunker);
    this.#prepareAll(reader, pipeline).catch((thrown: unknown) => {
      this.#finish('failed', toSpeechError(thrown));
    });
    return reader;
  }

  async #prepareAll(reader: ChunkReader, pipeline: SpeechPipeline): Promise<void> {
    let part: VoicePart | undefined;
    for await (const output of reader) {
      if (this.#state === 'closed') return;
      if (output.type === 'part') {
        part = output.part;
      } else if (output.type === 'flush') {
        this.#work.push(output);
      } else if (output.type === 'pause') {
        this.#utterance = pipeline.utterance();
        this.#work.push(output);
      } else if (output.isSpeakable) {
        this.#utterance = pipeline.utterance();
        const chunk = this.#utterance.prepare(output, this.#abort.signal, part);
        this.#work.push({ type: 'chunk', chunk });
      } else {
        this.#waitingChars -= countCharacters(output.written);
      }
      await this.#work.room(PREPARED_AHEAD);
    }
    this.#work.end();
  }

  async #run(): Promise<void> {
    try {
      for await (const work of this.#work) {
        this.#speaking = true;
        await this.#perform(work);
        this.#speaking = false;
        this.touch();
        if (this.#state === 'closed') return;
      }
      this.#finish('spoken', undefined);
    } catch (thrown) {
      this.#finish('failed', toSpeechError(thrown));
    }
  }

  async #perform(work: Work): Promise<void> {
    const utterance = this.#utterance;
    if (work.type === 'flush') {
      await utterance?.flush();
      work.onFlushed?.();
    } else if (work.type === 'pause') {
      await utterance?.pause(work, this.#abort.signal);
      this.#waitingChars -= countCharacters(work.written);
    } else {
      this.#chunkNumber = work.chunk.number;
      await utterance?.speak(work.chunk, this.#abort.signal);
      this.#waitingChars -= work.chunk.chars;
    }
  }

  #finish(input: ContextInput, error: SpeechError | undefined): void {
    const before = this.#state;
    this.#state = nextState(before, input);
    if (before === 'closed' || this.#state !== 'closed') return;
    this.#speaking = false;
    this.#abort.abort();
    this.#reader?.end();
    this.#work.end();
    this.#onClosed(error);
  }
}
