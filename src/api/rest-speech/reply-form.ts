import type { OutputFormat } from '../../domain/audio.ts';
import type { SpokenFrame } from '../../synthesis/speech/text-reader.ts';
import type { Generation } from './generation.ts';
import { wireTimestamps } from './timestamps.ts';

/** How a reply writes down what was spoken. */
export interface ReplyForm {
  contentType(format: OutputFormat, isStreamed: boolean): string;
  /** Everything that was spoken. */
  whole(audio: Uint8Array, generation: Generation): Uint8Array | string;
  /** What a stream begins with, before any audio. */
  readonly lead?: Uint8Array;
  /** One piece of a stream. */
  frame(frame: SpokenFrame): Uint8Array | string;
  /** What follows the last piece of a stream. */
  end?(generation: Generation): string;
  /** What stands in a stream where a piece should be that could not be made; without it, the stream breaks off. */
  failure?(thrown: unknown): string;
}

/** The audio as it is. */
export const AUDIO: ReplyForm = {
  contentType: ({ contentType }) => contentType,
  whole: (audio) => audio,
  frame: ({ audio }) => audio,
};

/** The audio as base64 in JSON that times every character; a stream is one line for each piece. */
export const TIMESTAMPS: ReplyForm = {
  contentType: (_format, isStreamed) =>
    isStreamed ? 'application/x-ndjson' : 'application/json; charset=utf-8',
  whole: (audio, { alignment }) => timedAudio(audio, alignment),
  frame: ({ audio, alignment }) => `${timedAudio(audio, alignment)}\n`,
};

export function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function timedAudio(audio: Uint8Array, alignment: SpokenFrame['alignment']): string {
  return JSON.stringify({ audio_base64: base64(audio), ...wireTimestamps(alignment) });
}
