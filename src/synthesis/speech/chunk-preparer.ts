import { countCharacters } from '../../domain/characters.ts';
import type { EnginePlace } from '../engine/engine.ts';
import type { PreparedChunk } from '../text/front-end.ts';
import type { MarkedChunk } from '../text/markup/marked-chunker.ts';
import type { SpeechPorts } from './speech-ports.ts';
import { timeSlices } from './time-slices.ts';
import type { PartStyle } from './voice-part.ts';

/** How a chunk follows on what its listener has heard. */
interface ChunkConnection {
  /** Whether the listener then heard nothing and no chunk went before, so that they wait for this one. */
  readonly isAwaited: boolean;
  /** Whether its context goes on with what its listener heard a moment ago, and must not be cut. */
  readonly isContinuation: boolean;
}

/** A chunk whose turn to be spoken is still to come. */
export interface PendingChunk extends ChunkConnection {
  /** See `SpeechPorts.numberChunk`. */
  readonly number: number;
  readonly part: PartStyle;
  /** Of its text as written. */
  readonly chars: number;
  /** How much faster than the voice's own pace its text asks for. */
  readonly pace: number;
  /** When its preparation began. */
  readonly cutAtMs: number;
  /** What the engine keeps for a chunk that begins; an abort gives it up. */
  readonly place: Promise<EnginePlace | undefined>;
  readonly prepared: Promise<PreparedChunk>;
}

/** Begins what must be done for the chunks of a context before their turn: a place, then the front end. */
export class ChunkPreparer {
  readonly #ports: SpeechPorts;
  #preparedChunks = 0;

  constructor(ports: SpeechPorts) {
    this.#ports = ports;
  }

  prepare(
    chunk: MarkedChunk,
    part: PartStyle,
    connection: ChunkConnection,
    signal: AbortSignal,
  ): PendingChunk {
    const place = this.#takePlace(part, connection, signal);
    const prepared = this.#read(chunk, { part, place }, signal);
    // The failure is reported when the chunk's turn comes; until then it must not count as unhandled.
    prepared.catch(() => undefined);
    this.#preparedChunks++;
    return {
      ...connection,
      part,
      number: this.#ports.numberChunk?.() ?? this.#preparedChunks,
      chars: countCharacters(chunk.written),
      pace: chunk.pace,
      cutAtMs: this.#ports.speaker.now(),
      place,
      prepared,
    };
  }

  /** What the engine has no room for is refused before any work is done for it. */
  async #takePlace(
    { style }: PartStyle,
    { isContinuation }: ChunkConnection,
    signal: AbortSignal,
  ): Promise<EnginePlace | undefined> {
    const { speaker, accountId, isAdmitted } = this.#ports;
    if (isContinuation || isAdmitted || signal.aborted) return undefined;
    const { modelFile } = style.voice;
    const place = speaker.engine.reserve({ accountId, modelFile });
    // The signal is the context's, and outlives the chunk: the listener goes with the place.
    const release = () => {
      signal.removeEventListener('abort', release);
      place.release();
    };
    signal.addEventListener('abort', release, { once: true });
    return { release };
  }

  async #read(
    { text, markup }: MarkedChunk,
    { part: { style }, place }: Pick<PendingChunk, 'part' | 'place'>,
    signal: AbortSignal,
  ): Promise<PreparedChunk> {
    await place;
    const { voice, normalise } = style;
    const language = voice.language.split('-')[0] ?? voice.language;
    const dictionaries = await style.dictionaries;
    const reading = { language, espeakVoice: voice.phonemeLanguage, normalise, markup };
    return timeSlices.run(() =>
      this.#ports.speaker.frontEnd.prepare(
        text,
        { ...reading, ...(dictionaries && { dictionaries }) },
        signal,
      ),
    );
  }
}
