import { countCharacters } from '../../domain/characters.ts';
import type { ChunkAlignment } from '../text/alignment.ts';
import type { Pause } from '../text/markup/marked-chunker.ts';
import type { PendingChunk } from './chunk-preparer.ts';
import { ChunkReader } from './chunk-reader.ts';
import { openPipeline, type SpeechPipeline } from './speech-pipeline.ts';
import type { SpeechPorts } from './speech-ports.ts';
import type { SpeechStyle } from './speech-style.ts';
import { openVoicePart, type VoicePart } from './voice-part.ts';
import { WorkQueue } from './work-queue.ts';

/** A stretch of encoded audio of a reader. */
export interface SpokenFrame {
  readonly audio: Uint8Array;
  /** Of the characters whose sound starts in this frame, in the clock of `SpeechStyle.alignment`. */
  readonly alignment: ChunkAlignment | undefined;
  /** How many characters of the text belong to chunks that are heard by now. */
  readonly reachedChars: number;
}

/** Stretches of text, each said by one voice; one is a text, several are a dialogue. */
export type Script = readonly [ScriptPart, ...ScriptPart[]];

export interface ScriptPart {
  readonly text: string;
  /** Parts differ in their voices alone; the rest is the first one's. */
  readonly style: SpeechStyle;
}

interface RecitedStretch {
  readonly work: { readonly type: 'chunk'; readonly pending: PendingChunk } | Pause;
  readonly partIndex: number | undefined;
  /** Characters of the text up to its end. */
  readonly endChars: number;
}

/**
 * Speaks one whole text or dialogue, as fast as its listener takes the audio. It is cut exactly as a context
 * cuts text that arrives in one fragment and is then flushed: both doors say the same for the same
 * seed. Good for one reading.
 */
export class TextReader {
  readonly #script: Script;
  readonly #pipeline: SpeechPipeline;
  readonly #ready = new WorkQueue<SpokenFrame>();
  #reachedChars = 0;
  #prepareAhead: () => void = () => undefined;
  #frameTaken: () => void = () => undefined;

  constructor(script: Script, ports: SpeechPorts) {
    this.#script = script;
    this.#pipeline = openPipeline(script[0].style, ports, (audio, alignment) =>
      this.#offer(audio, alignment),
    );
  }

  /**
   * The audio, frame by frame. Work goes on when the next frame is asked for, one window of the
   * engine ahead at most; it stops when the iteration is left.
   *
   * @throws SpeechError of the front end or the engine; the signal's reason once it is aborted.
   */
  async *frames(signal: AbortSignal): AsyncGenerator<SpokenFrame, void> {
    const left = new AbortController();
    const speaking = this.#speak(AbortSignal.any([signal, left.signal]));
    const ended = speaking.then(
      () => this.#ready.end(),
      () => this.#ready.end(),
    );
    try {
      for await (const frame of this.#ready) {
        yield frame;
        this.#frameTaken();
      }
      await speaking;
    } finally {
      left.abort();
      this.#frameTaken();
      await ended;
    }
  }

  async #speak(signal: AbortSignal): Promise<void> {
    const stretches = this.#stretches(signal);
    let following = stretches.next();
    for (let next = await following; !next.done; next = await following) {
      const { work, partIndex, endChars } = next.value;
      let isAhead = false;
      // Not sooner: a chunk that is read while something is heard counts as going on with it, and
      // goes on even when the engine admits nobody new. Nor does a long text crowd the phonemiser.
      this.#prepareAhead = () => {
        if (!isAhead) following = stretches.next();
        isAhead = true;
      };
      this.#reachedChars = endChars;
      const utterance = this.#pipeline.utterance();
      if (work.type === 'pause') await utterance.pause(work, signal, partIndex);
      else await utterance.speak(work.pending, signal);
      this.#prepareAhead();
    }
    await this.#pipeline.utterance().flush();
  }

  /** Each is read, and its preparation begins, when it is asked for. */
  async *#stretches(signal: AbortSignal): AsyncGenerator<RecitedStretch, void> {
    const { chunker } = this.#pipeline;
    const utterance = this.#pipeline.utterance();
    const reader = new ChunkReader(chunker);
    for (const [index, { text, style }] of this.#script.entries()) {
      reader.beginPart(() => openVoicePart({ style, index }));
      reader.write(text);
    }
    reader.flush();
    reader.end();
    let part: VoicePart | undefined;
    let endChars = 0;
    for await (const output of reader) {
      if (output.type === 'part') part = output.part;
      if (output.type !== 'chunk' && output.type !== 'pause') continue;
      const partIndex = part?.index;
      endChars += countCharacters(output.written);
      if (output.type === 'pause') {
        yield { work: output, partIndex, endChars };
      } else if (output.isSpeakable) {
        const pending = utterance.prepare(output, signal, part);
        yield { work: { type: 'chunk', pending }, partIndex, endChars };
      }
    }
  }

  #offer(audio: Uint8Array, alignment: ChunkAlignment | undefined): Promise<void> {
    this.#prepareAhead();
    this.#ready.push({ audio, alignment, reachedChars: this.#reachedChars });
    return new Promise((resolve) => {
      this.#frameTaken = resolve;
    });
  }
}
