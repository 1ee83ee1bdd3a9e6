import type { DictionaryLocator } from '../domain/dictionary.ts';
import type { Voice, VoiceSettings } from '../domain/voice.ts';
import type { Voicing } from '../speech/context.ts';
import { deliveryOf } from '../speech/delivery.ts';
import type { ContextSettings } from '../speech/messages.ts';
import type { ChunkToll, Speaker, SpeechStyle } from '../speech/speaker.ts';
import { type FrameSink, type SpokenChunk, Utterance } from '../speech/utterance.ts';
import { windowsForLevel } from '../speech/window-schedules.ts';
import { policyForAutoMode, policyForLevel, policyForSchedule } from '../text/chunk-policy.ts';
import { Chunker } from '../text/chunker.ts';
import type { ConnectQuery } from './connect-query.ts';

const MAX_SEED = 2 ** 32;

/** What a connection speaks with, whatever its contexts say. */
export interface VoicingParts {
  readonly speaker: Speaker;
  readonly voice: Voice;
  /** What the account has stored for the voice. */
  readonly storedSettings: VoiceSettings;
  readonly query: ConnectQuery;
  readonly toll: ChunkToll;
  /** Reads the dictionaries that a context names. */
  readonly dictionaries: (locators: readonly DictionaryLocator[]) => SpeechStyle['dictionaries'];
  readonly onSpoken: (chunk: SpokenChunk) => void;
}

/** Puts together what one context speaks with: the connection's query and the context's settings. */
export function openVoicing(
  { speaker, voice, storedSettings, query, toll, dictionaries, onSpoken }: VoicingParts,
  settings: ContextSettings,
  sink: FrameSink,
): Voicing {
  const utterance = new Utterance(
    speaker,
    {
      voice,
      format: query.format,
      delivery: deliveryOf({ ...storedSettings, ...settings.voiceSettings }),
      seed: query.seed ?? Math.floor(Math.random() * MAX_SEED),
      normalise: query.normalise,
      windows: windowsForLevel(query.latencyLevel),
      alignment: query.alignment,
      trimsLeadingSilence: query.latencyLevel > 0,
      toll,
      dictionaries: settings.dictionaries && dictionaries(settings.dictionaries),
    },
    sink,
    onSpoken,
  );
  return { chunker: new Chunker(chunkPolicy(query, settings), voice.language), utterance };
}

/** A latency level that a client asks for says more than the schedule that its library sends along. */
function chunkPolicy(query: ConnectQuery, settings: ContextSettings) {
  if (query.autoMode) return policyForAutoMode();
  if (query.latencyLevel === 0 && settings.chunkLengthSchedule) {
    return policyForSchedule(settings.chunkLengthSchedule);
  }
  return policyForLevel(query.latencyLevel);
}
