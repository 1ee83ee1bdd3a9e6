import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import { countCharacters } from '../../domain/characters.ts';
import type { UsageLabels } from '../../domain/usage.ts';
import type { ConfiguredVoice } from '../../domain/voice.ts';
import { chargedWhenHeard } from '../../service/account/charged-when-heard.ts';
import {
  type ConcurrencySlot,
  concurrencyHeaders,
} from '../../service/account/concurrency-limiter.ts';
import type { AdmittedChunk } from '../../synthesis/speech/speaker.ts';
import type { SpeechPorts } from '../../synthesis/speech/speech-ports.ts';
import { speechStyle } from '../../synthesis/speech/speech-style.ts';
import type { SpokenChunk } from '../../synthesis/speech/spoken-chunk.ts';
import { type SpokenFrame, TextReader } from '../../synthesis/speech/text-reader.ts';
import type { ChunkAlignment } from '../../synthesis/text/alignment.ts';
import type { PronunciationDictionaries } from '../../synthesis/text/front-end.ts';
import { isAudible } from '../../synthesis/text/markup/speech-markup.ts';
import type {
  CharacterReservation,
  HistoryRecording,
  RestSpeechServices,
} from './speech-services.ts';
import { emptyText, type RestSpeechRequest } from './text-request.ts';
import { wholeAlignment, wireTimestamps } from './timestamps.ts';

/** A request that has been checked, and who made it. */
export interface SpeechOrder {
  readonly caller: Caller;
  readonly request: RestSpeechRequest;
  /** With the settings of the request over those that are stored. */
  readonly voice: ConfiguredVoice;
  /** Who says which parts of the text, in order; all of it is said by `voice` unless given. */
  readonly dialogue?: Dialogue;
  /** In the order in which they apply. */
  readonly dictionaries: PronunciationDictionaries;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
}

/** What several voices say in turn. */
export type Dialogue = readonly [DialogueLine, ...DialogueLine[]];

export interface DialogueLine {
  readonly text: string;
  /** With the settings of the request over those that are stored. */
  readonly voice: ConfiguredVoice;
}

/**
 * One text being spoken for one caller: holds their concurrency slot, their reserved characters and their
 * place in the history, and lets go of all three exactly once.
 *
 * What is charged: the whole text when it was spoken to its end; the chunks that were heard when the
 * caller left or the work failed in the middle; nothing when they heard nothing. What a chunk costs
 * beyond its text (see `spokenSurplus`) is charged with the chunk.
 */
export class Generation {
  readonly #services: RestSpeechServices;
  readonly #order: SpeechOrder;
  /** Of the text as written. */
  readonly #characters: number;
  readonly #slot: ConcurrencySlot;
  readonly #reservation: CharacterReservation;
  #recording: HistoryRecording | undefined;
  readonly #alignments: ChunkAlignment[] = [];
  #deliveredChars = 0;
  #surplusCharacters = 0;
  #audioMs = 0;
  #hasEnded = false;

  private constructor(
    services: RestSpeechServices,
    order: SpeechOrder,
    characters: number,
    held: {
      slot: ConcurrencySlot;
      reservation: CharacterReservation;
      recording: HistoryRecording | undefined;
    },
  ) {
    this.#services = services;
    this.#order = order;
    this.#characters = characters;
    this.#slot = held.slot;
    this.#reservation = held.reservation;
    this.#recording = held.recording;
  }

  /** @throws SpeechError `empty_text`, `too_many_concurrent_requests`, `quota_exceeded`. */
  static async begin(services: RestSpeechServices, order: SpeechOrder): Promise<Generation> {
    const { caller, request } = order;
    const lines = linesOf(order);
    const isHeard = ({ text, voice: { voice } }: DialogueLine) =>
      isAudible(text, request, voice.language);
    if (!lines.some(isHeard)) throw emptyText();
    const characters = lines.reduce((sum, { text }) => sum + countCharacters(text), 0);
    const slot = services.concurrency.acquire(caller, request.model);
    let reservation: CharacterReservation | undefined;
    try {
      reservation = await services.quota.reserve(caller, characters, labelsOf(order));
      const recording = await beginRecording(services, order);
      return new Generation(services, order, characters, { slot, reservation, recording });
    } catch (thrown) {
      slot.release();
      await reservation?.refund();
      throw thrown;
    }
  }

  /**
   * What a reply says about the generation, whatever its form. The cost is what is known of it so
   * far: what a text takes to speak beyond its characters shows chunk by chunk.
   */
  get headers(): Record<string, string | number> {
    return {
      'request-id': this.#order.requestId,
      'character-cost': this.cost,
      ...concurrencyHeaders(this.#slot),
      ...(this.#recording && { 'history-item-id': this.#recording.historyItemId }),
    };
  }

  /** @throws SpeechError of the front end or the engine; the signal's reason once it is aborted. */
  async *frames(signal: AbortSignal): AsyncGenerator<SpokenFrame, void> {
    const { request, dictionaries, caller } = this.#order;
    const ports: SpeechPorts = {
      speaker: this.#services.speech.speaker,
      accountId: caller.accountId,
      meter: { enter: ({ surplus }) => this.#reserveSurplus(surplus) },
      onSpoken: (chunk) => this.#spoken(chunk),
      onPaused: (durationMs) => {
        this.#audioMs += durationMs;
      },
    };
    const [first, ...others] = linesOf(this.#order);
    const scripted = ({ text, voice }: DialogueLine) => ({
      text,
      style: speechStyle(request, voice, { dictionaries }),
    });
    const reader = new TextReader([scripted(first), ...others.map(scripted)], ports);
    for await (const frame of reader.frames(signal)) {
      if (frame.alignment) this.#alignments.push(frame.alignment);
      yield frame;
    }
  }

  /** Characters that are charged when all of the text has been spoken, as far as they are known. */
  get cost(): number {
    return this.#characters + this.#surplusCharacters;
  }

  /** The times of everything spoken so far. */
  get alignment(): ChunkAlignment | undefined {
    return wholeAlignment(this.#alignments);
  }

  /** Notes that a frame is about to be handed out, so that even a crash charges what was heard. */
  async deliver({ reachedChars }: SpokenFrame): Promise<void> {
    if (reachedChars <= this.#deliveredChars) return;
    this.#deliveredChars = reachedChars;
    await this.#attempt(() => this.#reservation.deliver(reachedChars));
  }

  /** Keeps audio in the history, as the caller gets it. A history that fails does not silence them. */
  async record(audio: Uint8Array): Promise<void> {
    const recording = this.#recording;
    if (!recording) return;
    const isKept = await this.#attempt(() => recording.write(audio));
    if (isKept) return;
    this.#recording = undefined;
    await this.#attempt(() => recording.abandon());
  }

  /** The whole text was spoken: charges it, and makes it part of the history. */
  async complete(): Promise<void> {
    if (!this.#end()) return;
    const characters = this.cost;
    const audioMs = Math.round(this.#audioMs);
    const alignments = wireTimestamps(this.alignment);
    await this.#attempt(() => this.#reservation.settle(this.#characters));
    await this.#attempt(async () => this.#recording?.finish({ characters, alignments }));
    await this.#attempt(() => this.#tell(characters, audioMs));
  }

  /**
   * The generation came to nothing, or not to its end. After `complete` this does nothing.
   *
   * @param heardChars of the text; charged.
   */
  async giveUp(heardChars: number): Promise<void> {
    if (!this.#end()) return;
    const reservation = this.#reservation;
    await this.#attempt(() =>
      heardChars > 0 ? reservation.settle(heardChars) : reservation.refund(),
    );
    await this.#attempt(async () => this.#recording?.abandon());
  }

  /** What a chunk costs beyond its text, which is paid for, is charged once any of it was made. */
  async #reserveSurplus(surplus: number): Promise<AdmittedChunk> {
    if (surplus === 0) return { hear: () => undefined, end: async () => undefined };
    const { quota } = this.#services;
    const labels = labelsOf(this.#order);
    const reservation = await quota.reserve(this.#order.caller, surplus, labels);
    const chunk = chargedWhenHeard(reservation, surplus, () => {
      this.#surplusCharacters += surplus;
    });
    return { hear: chunk.hear, end: async () => void (await this.#attempt(chunk.end)) };
  }

  #spoken(chunk: SpokenChunk): void {
    const { log, request } = this.#order;
    this.#audioMs += chunk.audioMs;
    this.#services.speech.telemetry.chunkSpoken(log, request.latencyLevel, chunk);
  }

  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#slot.release();
    return true;
  }

  /** What fails here is for the operator to know: the caller has their audio, or never will. */
  async #attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (err) {
      this.#order.log.error({ err }, 'speech could not be accounted for');
      return false;
    }
  }

  async #tell(characters: number, audioMs: number): Promise<void> {
    const { caller, request, requestId } = this.#order;
    const { voiceId } = this.#order.voice.voice;
    await this.#services.tell({
      type: 'speech.generated',
      accountId: caller.accountId,
      data: {
        request_id: requestId,
        history_item_id: this.#recording?.historyItemId ?? null,
        voice_id: voiceId,
        model_id: request.model.modelId,
        output_format: request.format.name,
        character_count: characters,
        audio_duration_ms: audioMs,
      },
    });
  }
}

function labelsOf({ request, voice }: SpeechOrder): UsageLabels {
  return { modelId: request.model.modelId, voiceId: voice.voice.voiceId };
}

function linesOf({ dialogue, request: { text }, voice }: SpeechOrder): Dialogue {
  return dialogue ?? [{ text, voice }];
}

async function beginRecording(
  { history }: RestSpeechServices,
  { caller, request, voice, requestId }: SpeechOrder,
): Promise<HistoryRecording | undefined> {
  if (!request.isKept) return undefined;
  const { text, model, format } = request;
  const { accountId } = caller;
  return history.begin({ ...voice, accountId, requestId, model, text, format });
}
