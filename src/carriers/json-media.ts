import { UNIT_MS } from '../calls/carrier.ts';
import type { OutputFormat } from '../domain/audio.ts';
import { base64Bytes, wholeSamples } from './message-reader.ts';

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
