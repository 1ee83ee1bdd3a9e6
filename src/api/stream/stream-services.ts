import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWorkRegistry } from '../../domain/live-work.ts';
import type { Model } from '../../domain/model.ts';
import type { Voice, VoiceSettings } from '../../domain/voice.ts';
import type { ChunkMeter, Speaker, SpeechStyle } from '../../synthesis/speech/speaker.ts';
import type { CutChunk, SpokenChunk } from '../../synthesis/speech/spoken-chunk.ts';
import type { MessageDirection } from '../websocket/socket-session.ts';

/** What the websockets need of the rest of the server. */
export interface StreamServices {
  readonly speaker: Speaker;
  readonly connections: LiveWorkRegistry;
  /** @throws SpeechError `voice_id_does_not_exist`, `voice_not_prepared`. */
  readonly findVoice: (
    caller: Caller,
    voiceId: string,
  ) => Promise<{ readonly voice: Voice; readonly settings: VoiceSettings }>;
  readonly openMeter: (caller: Caller, model: Model) => ChunkMeter;
  readonly findDictionaries: (
    caller: Caller,
    locators: readonly DictionaryLocator[],
  ) => SpeechStyle['dictionaries'];
  readonly telemetry: StreamTelemetry;
  /** A client that leaves its audio unread for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs?: number;
  /**
   * Looks again whether a caller's key still opens what it opened.
   * @throws SpeechError `invalid_api_key`, `missing_permissions` once it does not.
   */
  readonly confirm: (caller: Caller) => Promise<unknown>;
  /** How often it is asked, of connections that may be silent; 15 000 unless given. */
  readonly confirmIntervalMs?: number;
}

/** Where the events of connections are told; each with a log that carries the request's id. */
export interface StreamTelemetry {
  connectionOpened(): void;
  message(direction: MessageDirection): void;
  connectionEnded(log: FastifyBaseLogger, error: SpeechError | undefined, traceId: string): void;
  chunkSpoken(log: FastifyBaseLogger, level: number, chunk: SpokenChunk, traceId: string): void;
  chunkCut(log: FastifyBaseLogger, level: number, chunk: CutChunk, traceId: string): void;
}
