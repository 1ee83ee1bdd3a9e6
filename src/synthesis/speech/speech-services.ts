import type { Caller } from '../../domain/account.ts';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import type { Model } from '../../domain/model.ts';
import type { ConfiguredVoice } from '../../domain/voice.ts';
import type { FrameSink } from './frame-writer.ts';
import { prosodyOf } from './prosody.ts';
import { RegisteredVoices } from './registered-voices.ts';
import type { OpeningSettings } from './settled-settings.ts';
import type { ChunkMeter, Speaker } from './speaker.ts';
import type { SpeakingTurns } from './speaking-turns.ts';
import { openPipeline, type SpeechPipeline } from './speech-pipeline.ts';
import type { SpeechPorts } from './speech-ports.ts';
import type { SpeechRequest } from './speech-request.ts';
import { type SpeechStyle, speechStyle } from './speech-style.ts';
import type { CutChunk, SpokenChunk } from './spoken-chunk.ts';
import { openVoicePart } from './voice-part.ts';

/** What every door speaks with, whatever its wire: built once, handed to each. */
export interface SpeechServices {
  readonly speaker: Speaker;
  /**
   * A voice with the settings that the caller's account has stored for it; the default voice without an id.
   * @throws SpeechError `voice_id_does_not_exist`, `voice_not_prepared`.
   */
  readonly findVoice: (caller: Caller, voiceId?: string) => Promise<ConfiguredVoice>;
  /**
   * The dictionaries that a client names, in its order.
   * @throws SpeechError when the caller has no such dictionary or version.
   */
  readonly findDictionaries: (
    caller: Caller,
    locators: readonly DictionaryLocator[],
  ) => NonNullable<SpeechStyle['dictionaries']>;
  readonly openMeter: (caller: Caller, model: Model) => ChunkMeter;
  /**
   * Looks again whether the caller's key still lets them speak.
   * @throws SpeechError `invalid_api_key`, `missing_permissions` once it does not.
   */
  readonly confirm: (caller: Caller) => Promise<unknown>;
  readonly telemetry: SpeechTelemetry;
}

/** A logger that carries the ids of what it is about. Never told what is said. */
export interface SpeechLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Where it is told what became of chunks. */
export interface SpeechTelemetry {
  /** @param traceId of the messages that spoke the chunk; absent where no message carries one. */
  chunkSpoken(log: SpeechLog, level: number, chunk: SpokenChunk, traceId?: string): void;
  chunkCut(log: SpeechLog, level: number, chunk: CutChunk, traceId?: string): void;
}

/** A connection or a call that was let in: who speaks, with which voice, and what was asked for. */
export interface AdmittedSpeech {
  readonly caller: Caller;
  readonly voice: ConfiguredVoice;
  readonly request: SpeechRequest;
  /** What all its contexts are paid for by. */
  readonly meter: ChunkMeter;
  readonly log: SpeechLog;
  /** What messages about a chunk call it; absent where no message does. */
  readonly traceIdOf?: (chunkNumber: number) => string;
  /** What its contexts take turns by; absent where all may always speak. */
  readonly turns?: SpeakingTurns;
  /** See `SpeechPorts`. */
  readonly isAdmitted?: boolean;
}

/** What a context may have of its own: see `SpeechPorts`. */
export type ContextPorts = Partial<Pick<SpeechPorts, 'aheadMs' | 'onSpoken'>>;

/** Opens what one context speaks with. */
export type OpenContext = (
  settings: OpeningSettings,
  sink: FrameSink,
  ports?: ContextPorts,
) => SpeechPipeline;

/** Begins the speech of a connection or a call: its contexts share all but their settings. */
export function openSpeech(services: SpeechServices, admitted: AdmittedSpeech): OpenContext {
  const { speaker, telemetry, findDictionaries, findVoice } = services;
  const { caller, voice, request, meter, log, traceIdOf, turns, isAdmitted = false } = admitted;
  const { latencyLevel } = request;
  let chunks = 0;
  const shared = {
    ...{ speaker, meter, isAdmitted },
    accountId: caller.accountId,
    numberChunk: () => ++chunks,
    onCut: (chunk: CutChunk) =>
      telemetry.chunkCut(log, latencyLevel, chunk, traceIdOf?.(chunk.chunkNumber)),
  };
  return ({ dictionaries, settleVoice, voices, ...settings }, sink, { onSpoken, ...own } = {}) => {
    const style = speechStyle(request, voice, {
      ...settings,
      ...(dictionaries && { dictionaries: findDictionaries(caller, dictionaries) }),
    });
    const turn = turns?.enter();
    const ports: SpeechPorts = {
      ...{ ...shared, ...own, ...(turn && { turn }) },
      onSpoken: (chunk) => {
        telemetry.chunkSpoken(log, latencyLevel, chunk, traceIdOf?.(chunk.chunkNumber));
        onSpoken?.(chunk);
      },
    };
    const styleOf = ({ voice, settings }: ConfiguredVoice): SpeechStyle => ({
      ...style,
      voice,
      prosody: prosodyOf({ ...settings, ...settleVoice() }),
    });
    let registered: RegisteredVoices | undefined;
    return {
      ...openPipeline(style, ports, sink, () => styleOf(voice)),
      openPart: (voiceId) => {
        registered ??= new RegisteredVoices(voices ?? [], (id) => findVoice(caller, id));
        return registered.find(voiceId).then((found) => openVoicePart({ style: styleOf(found) }));
      },
    };
  };
}
