import type { OutputFormat } from '../../domain/audio.ts';
import type { DictionaryLocator } from '../../domain/dictionary.ts';
import type { Voice, VoiceSettings } from '../../domain/voice.ts';
import {
  type LatencyLevel,
  policyForAutoMode,
  policyForLevel,
  policyForSchedule,
} from '../text/chunk-policy.ts';
import { Chunker } from '../text/chunker.ts';
import type { Voicing } from './context.ts';
import { deliveryOf } from './delivery.ts';
import type { AlignmentStyle } from './frame-alignments.ts';
import type { FrameSink } from './frame-writer.ts';
import type { ContextSettings } from './messages.ts';
import type { ChunkMeter, Speaker, SpeechStyle } from './speaker.ts';
import type { SpeakingTurns } from './speaking-turns.ts';
import type { CutChunk, SpokenChunk } from './spoken-chunk.ts';
import { Utterance } from './utterance.ts';
import { windowsForLevel } from './window-schedules.ts';

const MAX_SEED = 2 ** 32;

/** How a whole connection wants to be spoken to. */
export interface SpeechWishes {
  readonly format: OutputFormat;
  readonly latencyLevel: LatencyLevel;
  readonly autoMode: boolean;
  /** The same seed, text and settings give the same bytes. */
  readonly seed: number | undefined;
  readonly normalise: boolean;
  readonly alignment: AlignmentStyle;
}

/** What a connection speaks with, whatever its contexts say. */
export interface VoicingParts {
  readonly accountId: string;
  readonly speaker: Speaker;
  readonly voice: Voice;
  /** What the account has stored for the voice. */
  readonly storedSettings: VoiceSettings;
  readonly wishes: SpeechWishes;
  readonly meter: ChunkMeter;
  /** Reads the dictionaries that a context names. */
  readonly dictionaries: (locators: readonly DictionaryLocator[]) => SpeechStyle['dictionaries'];
  readonly onSpoken: (chunk: SpokenChunk) => void;
  readonly onCut?: (chunk: CutChunk) => void;
  /** What the contexts of a connection take turns by. */
  readonly turns?: SpeakingTurns;
  /** See `SpeechStyle`. */
  readonly numberChunk?: () => number;
  readonly isAdmitted?: boolean;
  readonly aheadMs?: () => number;
}

/** Puts together what one context speaks with: the connection's wishes and the context's settings. */
export function openVoicing(
  parts: VoicingParts,
  settings: ContextSettings,
  sink: FrameSink,
): Voicing {
  const { speaker, voice, storedSettings, wishes, meter, dictionaries, onSpoken, onCut } = parts;
  const { accountId, numberChunk, isAdmitted = false, aheadMs } = parts;
  const turn = parts.turns?.enter();
  const utterance = new Utterance(
    speaker,
    {
      ...{ accountId, voice, isAdmitted },
      format: wishes.format,
      delivery: deliveryOf({ ...storedSettings, ...settings.voiceSettings }),
      seed: wishes.seed ?? Math.floor(Math.random() * MAX_SEED),
      normalise: wishes.normalise,
      windows: windowsForLevel(wishes.latencyLevel),
      alignment: wishes.alignment,
      trimsLeadingSilence: wishes.latencyLevel > 0,
      meter,
      ...(turn && { turn }),
      ...(aheadMs && { aheadMs }),
      ...(numberChunk && { numberChunk }),
      dictionaries: settings.dictionaries && dictionaries(settings.dictionaries),
    },
    sink,
    onSpoken,
    onCut,
  );
  const chunker = new Chunker(chunkPolicy(wishes, settings), voice.language);
  return { chunker, utterance, ...(turn && { turn }) };
}

/** A latency level that a client asks for says more than the schedule that its library sends along. */
function chunkPolicy(wishes: SpeechWishes, settings: ContextSettings) {
  if (wishes.autoMode) return policyForAutoMode();
  if (wishes.latencyLevel === 0 && settings.chunkLengthSchedule) {
    return policyForSchedule(settings.chunkLengthSchedule);
  }
  return policyForLevel(wishes.latencyLevel);
}
