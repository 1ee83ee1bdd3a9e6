import type { ErrorCode } from '../../domain/errors.ts';
import type { Encoding } from './encoding.ts';
import type { TextRequest } from './stage-runner.ts';
import type { FrameRange } from './windows.ts';

/** A pure piece of work: the same step gives the same result in any thread. */
export type Step =
  | {
      readonly type: 'text';
      readonly modelId: string;
      readonly request: TextRequest;
    }
  | {
      readonly type: 'window';
      readonly modelId: string;
      readonly encoding: Encoding;
      readonly window: FrameRange;
    };

/** A worker does one thing at a time: the next message is sent after the reply to the last. */
export type ToWorker =
  | Step
  | {
      readonly type: 'load';
      readonly modelId: string;
      readonly modelPath: string;
      /** Where stages may be kept, best first. */
      readonly cacheFolders: readonly string[];
      /** Phoneme ids that the voice knows, to warm up with. */
      readonly sampleIds: readonly number[];
      readonly sampleRate: number;
    }
  | { readonly type: 'unload'; readonly modelId: string };

export type FromWorker =
  | {
      readonly type: 'loaded';
      readonly hopLength: number;
      /** CPU seconds for each second of speech, measured while warming up. */
      readonly realTimeFactor: number;
    }
  | { readonly type: 'unloaded' }
  | {
      readonly type: 'encoded';
      readonly encoding: Encoding;
      readonly computeMs: number;
    }
  | {
      readonly type: 'block';
      readonly samples: Float32Array;
      readonly computeMs: number;
    }
  | {
      readonly type: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
    };
