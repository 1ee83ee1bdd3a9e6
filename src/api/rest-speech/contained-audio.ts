import type { OutputFormat } from '../../domain/audio.ts';
import { openWavHeader } from '../../synthesis/audio/wav.ts';
import { AUDIO, type ReplyForm } from './reply-form.ts';

/** What other wires' requests are answered with: a format, and what is around it. */
export interface ContainedAudio {
  readonly format: OutputFormat;
  /** Whether the audio, which is raw, is put in a WAV file. */
  readonly isWav: boolean;
  readonly contentType: string;
}

/** A WAV file is streamed too: its header says the longest length that there is. */
export function containedAudioForm({ format, isWav, contentType }: ContainedAudio): ReplyForm {
  return {
    ...AUDIO,
    contentType: () => contentType,
    ...(isWav && { lead: openWavHeader(format) }),
  };
}
