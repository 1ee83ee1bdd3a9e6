import type { SpeechError } from '../../domain/errors.ts';
import type { SpeechEvent } from '../../synthesis/speech/messages.ts';
import type { CharacterTimes } from '../../synthesis/text/alignment.ts';
import type { AudioFields, ErrorFields, TraceFields, WireAlignment } from './frame-schemas.ts';

type AudioFrameEvent = Extract<SpeechEvent, { type: 'audio-frame' }>;

/** The fields that audio frames of both websockets share. */
export function audioFields(event: AudioFrameEvent): AudioFields {
  const { alignment } = event;
  return {
    audio: audioText(event),
    alignment: alignment ? characterFields(alignment.original) : null,
    normalizedAlignment: alignment ? characterFields(alignment.spoken) : null,
  };
}

/** The audio of a frame as text. */
export function audioText({ audio }: AudioFrameEvent): string {
  return Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64');
}

function characterFields(times: CharacterTimes): WireAlignment {
  const { chars, charStartTimesMs, charDurationsMs } = times;
  return { chars, charStartTimesMs, charDurationsMs };
}

/** What every frame of the server carries. */
export function traceFields(traceId: string): TraceFields {
  return { 'x-trace-id': traceId };
}

/** The text frame that goes before the close of a failed connection. */
export function errorFrame(error: SpeechError): ErrorFields {
  return {
    message: error.message,
    error: error.code,
    code: error.row.close,
    ...(error.param !== undefined && { param: error.param }),
  };
}
