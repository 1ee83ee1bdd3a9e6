import { DEFAULT_VOICE_SETTINGS, type Voice } from '../domain/voice.ts';
import type { Voicing } from '../speech/context.ts';
import { deliveryOf } from '../speech/delivery.ts';
import type { ContextSettings } from '../speech/messages.ts';
import type { Speaker } from '../speech/speaker.ts';
import { type FrameSink, type SpokenChunk, Utterance } from '../speech/utterance.ts';
import { windowsForLevel } from '../speech/window-schedules.ts';
import { policyForAutoMode, policyForLevel, policyForSchedule } from '../text/chunk-policy.ts';
import { Chunker } from '../text/chunker.ts';
import type { ConnectQuery } from './connect-query.ts';

const MAX_SEED = 2 ** 32;

/** Puts together what one context speaks with: the connection's query and the context's settings. */
export function openVoicing(
  speaker: Speaker,
  voice: Voice,
  query: ConnectQuery,
  settings: ContextSettings,
  sink: FrameSink,
  onSpoken: (chunk: SpokenChunk) => void,
): Voicing {
  const utterance = new Utterance(
    speaker,
    {
      voice,
      format: query.format,
      delivery: deliveryOf({ ...DEFAULT_VOICE_SETTINGS, ...settings.voiceSettings }),
      seed: query.seed ?? Math.floor(Math.random() * MAX_SEED),
      normalise: query.normalise,
      windows: windowsForLevel(query.latencyLevel),
      alignment: query.alignment,
      trimsLeadingSilence: query.latencyLevel > 0,
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
