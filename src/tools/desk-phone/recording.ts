import { parseOutputFormat } from '../../domain/audio.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import { wavFile } from '../../synthesis/audio/wav.ts';
import type { DeskCallLog } from './call-log.ts';

/** Both sides of a call as they were heard, each from the call's beginning to its end. */
export interface CallRecording {
  readonly sampleRate: number;
  /** −1…1. */
  readonly caller: Float32Array;
  readonly bot: Float32Array;
}

/** What a recorder at the carrier would have on its tapes. */
export function recordingOf(log: DeskCallLog): CallRecording {
  const { format, durationMs } = log;
  const codec = sampleCodecOf(format);
  const place = (tape: Float32Array, startMs: number, pieces: readonly Uint8Array[]) => {
    let at = Math.round((startMs * format.sampleRate) / 1000);
    for (const piece of pieces) {
      const samples = codec.decode(piece);
      // Rounding may set the end of the last piece a sample behind the end of the call.
      const room = Math.max(0, tape.length - at);
      tape.set(
        samples.length > room ? samples.subarray(0, room) : samples,
        Math.min(at, tape.length),
      );
      at += samples.length;
    }
  };
  const blank = () => new Float32Array(Math.ceil((durationMs * format.sampleRate) / 1000));
  const bot = blank();
  for (const run of log.runs) place(bot, run.startMs, run.audio);
  const caller = blank();
  place(caller, log.caller.startMs, log.caller.frames);
  return { sampleRate: format.sampleRate, caller, bot };
}

/** One side of a recording as a WAV file of 16-bit PCM. */
export function recordingFile(samples: Float32Array, sampleRate: number): Uint8Array {
  const format = parseOutputFormat(`pcm_${sampleRate}`);
  return wavFile(format, sampleCodecOf(format).encode(samples));
}
