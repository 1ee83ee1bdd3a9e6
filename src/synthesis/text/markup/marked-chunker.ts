import type { ChunkPolicy } from '../chunk-policy.ts';
import { type Chunk, Chunker } from '../chunker.ts';
import type { MarkupKinds } from './markup-reader.ts';
import { type MarkupEvent, SpeechMarkup } from './speech-markup.ts';
import { type ChunkMarkup, WrittenText } from './written-text.ts';

/** A stretch of text that is spoken in one go, without its markup. */
export interface MarkedChunk {
  readonly type: 'chunk';
  /** As the client wrote it, tags and all. */
  readonly written: string;
  /** What is to be said. */
  readonly text: string;
  readonly isSpeakable: boolean;
  /** Absent where the two texts are one. */
  readonly markup?: ChunkMarkup;
  /** How much faster than the voice's own pace. */
  readonly pace: number;
}

/** Silence that the text asks for. */
export interface Pause {
  readonly type: 'pause';
  readonly written: string;
  readonly durationMs: number;
}

/** All `written`, joined, is what was pushed, joined. */
export type MarkedOutput = MarkedChunk | Pause;

/** Markup is read so many events at a time: a millisecond or less. */
const EVENTS_PER_SLICE = 256;

/** A chunker for text that may hold markup: cuts where a pause stands, and where the pace changes. */
export class MarkedChunker {
  readonly #markup: SpeechMarkup;
  readonly #chunker: Chunker;
  readonly #text = new WrittenText();
  #pace = 1;

  /** @param language BCP 47 tag of the text. */
  constructor(policy: ChunkPolicy, language: string, kinds: MarkupKinds = {}) {
    this.#chunker = new Chunker(policy, language);
    this.#markup = new SpeechMarkup(kinds, language.split('-')[0] ?? language);
  }

  /** UTF-16 units that wait to be spoken. */
  get bufferedChars(): number {
    return this.#chunker.bufferedChars + this.#markup.heldChars;
  }

  /** As `Chunker.push`. */
  *push(fragment: string): Generator<readonly MarkedOutput[], void> {
    yield* this.#read(this.#markup.read(fragment));
  }

  /** As `Chunker.trigger`. */
  trigger(): readonly MarkedOutput[] {
    return this.#marked(this.#chunker.trigger());
  }

  /** As `Chunker.flush`; a tag or an element that did not end is text. */
  flush(): readonly MarkedOutput[] {
    const outputs = [...this.#read(this.#markup.flush())].flat();
    return [...outputs, ...this.#cut(), ...this.#leftover()];
  }

  /** As `Chunker.restart`. */
  restart(): void {
    this.#chunker.restart();
  }

  *#read(events: Iterable<MarkupEvent>): Generator<readonly MarkedOutput[], void> {
    let plain: string[] = [];
    let count = 0;
    for (const event of events) {
      if (++count % EVENTS_PER_SLICE === 0) yield [];
      if (event.type === 'text') {
        this.#text.add(event);
        plain.push(event.plain);
        continue;
      }
      yield* this.#chunks(plain.join(''));
      plain = [];
      yield this.#cut();
      if (event.type === 'pause') {
        const written = this.#text.takeTags() + event.written;
        yield [{ type: 'pause', written, durationMs: event.durationMs }];
      } else {
        this.#text.add({ written: event.written, plain: '' });
        this.#pace = event.pace;
      }
    }
    yield* this.#chunks(plain.join(''));
  }

  *#chunks(plain: string): Generator<readonly MarkedOutput[], void> {
    for (const chunks of this.#chunker.push(plain)) yield this.#marked(chunks);
  }

  /** Ends the chunk that waits. */
  #cut(): readonly MarkedOutput[] {
    return this.#marked(this.#chunker.flush());
  }

  #leftover(): readonly MarkedOutput[] {
    const written = this.#text.takeTags();
    if (written === '') return [];
    return [{ type: 'chunk', written, text: '', isSpeakable: false, pace: this.#pace }];
  }

  #marked(chunks: readonly Chunk[]): readonly MarkedOutput[] {
    return chunks.map(({ text, isSpeakable }): MarkedChunk => {
      const markup = this.#text.take(text.length);
      const written = markup.map.original;
      const chunk = { type: 'chunk', written, text, isSpeakable, pace: this.#pace } as const;
      const isMarked = written !== text || markup.phonemes.length > 0;
      return isMarked ? { ...chunk, markup } : chunk;
    });
  }
}
