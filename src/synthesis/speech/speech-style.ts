import type { OutputFormat } from '../../domain/audio.ts';
import type { ConfiguredVoice, Voice } from '../../domain/voice.ts';
import type { Prosody } from '../engine/engine.ts';
import {
  type ChunkPolicy,
  policyForAutoMode,
  policyForDialogue,
  policyForLevel,
  policyForSchedule,
} from '../text/chunk-policy.ts';
import type { PronunciationDictionaries } from '../text/front-end.ts';
import type { AlignmentStyle } from './frame-alignments.ts';
import type { ContextSettings } from './messages.ts';
import { prosodyOf } from './prosody.ts';
import type { SpeechRequest } from './speech-request.ts';
import { type ChunkWindows, windowsForLevel } from './window-schedules.ts';

const MAX_SEED = 2 ** 32;

/** How one context speaks, fixed when its first text arrives; its prosody when its first chunk is cut. */
export interface SpeechStyle {
  readonly voice: Voice;
  readonly format: OutputFormat;
  readonly prosody: Prosody;
  /** Base of every chunk's seed; 32-bit unsigned. */
  readonly seed: number;
  /** Whether numbers, dates and the like are written out before they are phonemised. */
  readonly normalise: boolean;
  readonly isSsml: boolean;
  readonly hasAudioTags?: boolean;
  readonly chunkPolicy: ChunkPolicy;
  readonly windows: ChunkWindows;
  readonly alignment: AlignmentStyle;
  /** Whether a listener who waits is spared the silence that voices begin with. */
  readonly trimsLeadingSilence: boolean;
  /** Rules for words that the voice would say wrong, in order; a promise while they are read. */
  readonly dictionaries?: PronunciationDictionaries | Promise<PronunciationDictionaries>;
}

/** What may differ from one context of a connection to the next. */
export type ContextStyle = Pick<ContextSettings, 'voiceSettings' | 'chunkLengthSchedule'> &
  Pick<SpeechStyle, 'dictionaries'>;

/** The style that a client asked for: what a context sets counts before what is configured. */
export function speechStyle(
  request: SpeechRequest,
  { voice, settings }: ConfiguredVoice,
  context: ContextStyle = {},
): SpeechStyle {
  const { format, latencyLevel, normalise, isSsml = false, alignment } = request;
  const { hasAudioTags = false } = request;
  const { voiceSettings, chunkLengthSchedule, dictionaries } = context;
  return {
    ...{ voice, format, normalise, isSsml, hasAudioTags, alignment },
    prosody: prosodyOf({ ...settings, ...voiceSettings }),
    seed: request.seed ?? Math.floor(Math.random() * MAX_SEED),
    chunkPolicy: chunkPolicy(request, chunkLengthSchedule),
    windows: windowsForLevel(latencyLevel),
    trimsLeadingSilence: latencyLevel > 0,
    ...(dictionaries && { dictionaries }),
  };
}

/** A latency level that a client asks for says more than the schedule that its library sends along. */
function chunkPolicy(
  { autoMode, isDialogue, latencyLevel }: SpeechRequest,
  schedule: readonly number[] | undefined,
): ChunkPolicy {
  if (autoMode) return policyForAutoMode();
  if (isDialogue) return policyForDialogue();
  if (latencyLevel === 0 && schedule) return policyForSchedule(schedule);
  return policyForLevel(latencyLevel);
}

/** Gives each chunk of a context noise of its own. Knuth's multiplicative step keeps seeds apart. */
export function chunkSeed(seed: number, chunkIndex: number): number {
  return (seed + Math.imul(chunkIndex, 0x9e3779b1)) >>> 0;
}
