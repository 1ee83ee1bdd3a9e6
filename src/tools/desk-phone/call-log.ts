import type { OutputFormat } from '../../domain/audio.ts';
import type { CarrierName } from '../../domain/carrier.ts';
import type { HeardClear, HeardRun } from './playout-rules.ts';

/** One message with audio; all times of a log are milliseconds since the call began. */
export interface ArrivedAudio {
  readonly atMs: number;
  readonly bytes: number;
  /** What waited to be played right after. */
  readonly queuedMs: number;
}

export interface AskedMark {
  readonly askedAtMs: number;
  /** Undefined as long as it was not come to. */
  answeredAtMs: number | undefined;
  isCleared: boolean;
}

/** Something that the caller did. */
export interface CallerMoment {
  readonly type: 'key' | 'speech';
  readonly atMs: number;
  /** The digit of a key. */
  readonly label: string;
}

/** Something that the real carrier would refuse, drop or garble. */
export interface Finding {
  readonly text: string;
  readonly firstAtMs: number;
  count: number;
}

/** Who ended the call, and in what words. */
export interface CallEnding {
  readonly by: 'caller' | 'server' | 'mishap';
  readonly reason: string;
}

/** Everything that happened in one call, as the carrier saw and heard it. */
export interface DeskCallLog {
  readonly carrier: CarrierName;
  readonly format: OutputFormat;
  readonly durationMs: number;
  readonly ending: CallEnding | undefined;
  readonly arrivals: readonly ArrivedAudio[];
  readonly runs: readonly HeardRun[];
  readonly clears: readonly HeardClear[];
  readonly marks: readonly AskedMark[];
  readonly moments: readonly CallerMoment[];
  readonly findings: readonly Finding[];
  /** Audio that came when the carrier's buffer was full. */
  readonly droppedMs: number;
  /** The caller's audio, encoded, from the moment that the carrier began to send it. */
  readonly caller: { readonly startMs: number; readonly frames: readonly Uint8Array[] };
}
