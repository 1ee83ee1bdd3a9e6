import type { OutputFormat } from '../../domain/audio.ts';
import { UNIT_MS } from '../../domain/carrier.ts';
import type { CarrierEvent } from '../calls/carrier.ts';
import { base64Bytes, invalidMessage, wholeSamples } from './message-reader.ts';

/** Bytes of one unit in formats whose samples stand by themselves. */
export function unitBytes({ bitsPerSecond }: OutputFormat): number {
  return (bitsPerSecond / 8000) * UNIT_MS;
}

/** The Base64 payloads of as many messages as audio takes, each of at most `maxUnits` units. */
export function payloads(
  units: Uint8Array,
  format: OutputFormat,
  maxUnits: number,
): readonly string[] {
  const maxBytes = maxUnits * unitBytes(format);
  return Array.from({ length: Math.ceil(units.length / maxBytes) }, (_, index) => {
    const part = units.subarray(index * maxBytes, (index + 1) * maxBytes);
    return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64');
  });
}

/**
 * Audio of a media message.
 * @param carrier as messages name it.
 * @throws SpeechError `invalid_input_message` for what is not Base64, and for half a sample.
 */
export function payloadAudio(carrier: string, payload: string, format: OutputFormat): Uint8Array {
  const audio = base64Bytes(carrier, payload);
  return format.codec === 'pcm' ? wholeSamples(carrier, audio) : audio;
}

/** A media message of the carriers that number theirs and say whose audio it is. */
export interface TrackMedia {
  readonly payload: string;
  readonly track?: string | null | undefined;
  readonly chunk?: string | number | null | undefined;
}

/**
 * What the caller says in a media message. What is played to them comes back on the other track, if
 * both were asked for, and is not theirs.
 *
 * @param carrier as messages name it.
 * @param format undefined before `start`.
 * @throws SpeechError `invalid_input_message` before `start`, and as `payloadAudio`.
 */
export function callerAudioEvents(
  carrier: string,
  { payload, track, chunk }: TrackMedia,
  format: OutputFormat | undefined,
): readonly CarrierEvent[] {
  if (!format) throw invalidMessage(carrier, 'audio came before start.');
  if (track === 'outbound') return [];
  const audio = payloadAudio(carrier, payload, format);
  if (audio.length === 0) return [];
  return [{ type: 'caller-audio', audio, ...(chunk != null && { sequence: Number(chunk) }) }];
}
