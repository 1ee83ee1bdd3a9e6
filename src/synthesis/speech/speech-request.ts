import type { OutputFormat } from '../../domain/audio.ts';
import type { LatencyLevel } from '../text/chunk-policy.ts';
import type { AlignmentStyle } from './frame-alignments.ts';

/**
 * What a client asks for all that it has spoken on one connection, call or HTTP request. What it asks
 * for one context comes in `ContextSettings`.
 */
export interface SpeechRequest {
  readonly format: OutputFormat;
  readonly latencyLevel: LatencyLevel;
  /** Whether each fragment is spoken when it arrives; not unless given. */
  readonly autoMode?: boolean;
  /** The same seed, text and settings give the same bytes. Absent when any will do. */
  readonly seed?: number | undefined;
  /** Whether numbers, dates and the like are written out. */
  readonly normalise: boolean;
  /** Whether all text is SSML, and not only what stands in `<speak>`; not unless given. */
  readonly isSsml?: boolean;
  /** Whether `[laughs]` and the like are directions, and not words; not unless given. */
  readonly hasAudioTags?: boolean;
  /** Whether text is cut as that of dialogues is, and not as the level says; not unless given. */
  readonly isDialogue?: boolean;
  readonly alignment: AlignmentStyle;
}

/** What clients may say about writing numbers out. */
export type Normalisation = 'auto' | 'on' | 'off';

/** Left to the server, numbers are written out, but for the level that is rather early than right. */
export function normalises(asked: Normalisation, latencyLevel: LatencyLevel): boolean {
  return asked === 'on' || (asked === 'auto' && latencyLevel < 4);
}
