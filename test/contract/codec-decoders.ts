import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { createDecoder } from 'libopus-wasm';
import { MPEGDecoder } from 'mpg123-decoder';
import type { OutputFormat } from '../../src/domain/audio.ts';
import { sampleCodecOf } from '../../src/synthesis/audio/codec.ts';
import { readOggPages } from '../../src/synthesis/audio/ogg-page.ts';

/** What a player makes of encoded audio: mp3 by mpg123, Opus by libopus, FLAC by libFLAC, all else by its own codec. */
export async function decodeAudio(
  format: OutputFormat,
  encoded: Uint8Array,
): Promise<Float32Array> {
  if (format.codec === 'mp3') return decodeMp3(encoded, format.sampleRate);
  if (format.codec === 'opus') return decodeOggOpus(encoded);
  if (format.codec === 'flac') return decodeFlac(encoded, format.sampleRate);
  return sampleCodecOf(format).decode(encoded);
}

/** @throws when mpg123 reports an error, or another rate or more channels than one. */
export async function decodeMp3(encoded: Uint8Array, sampleRate: number): Promise<Float32Array> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const { channelData, errors, sampleRate: decodedRate } = decoder.decode(encoded);
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
    if (decodedRate !== sampleRate) throw new Error(`The mp3 has ${decodedRate} samples a second.`);
    const [left = new Float32Array(0)] = channelData;
    return left.slice();
  } finally {
    decoder.free();
  }
}

/** @throws when libFLAC reports an error, or another rate. */
export async function decodeFlac(encoded: Uint8Array, sampleRate: number): Promise<Float32Array> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    const { channelData, errors, sampleRate: decodedRate } = await decoder.decodeFile(encoded);
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
    if (decodedRate !== sampleRate)
      throw new Error(`The FLAC has ${decodedRate} samples a second.`);
    const [mono = new Float32Array(0)] = channelData;
    // The decoder takes 32767 for full scale, and everything here takes 32768.
    return mono.map((sample) => (sample * 32_767) / 32_768);
  } finally {
    decoder.free();
  }
}

/** One Ogg Opus stream, its pre-skip dropped and its end trimmed (RFC 7845 §4). */
export async function decodeOggOpus(encoded: Uint8Array): Promise<Float32Array> {
  const [head, , ...pages] = readOggPages(encoded);
  const preSkip = Buffer.from(head?.packets[0] ?? []).readUInt16LE(10);
  using decoder = await createDecoder({ channels: 1 });
  const parts = pages.flatMap(({ packets }) =>
    packets.map((packet) => decoder.decodeFloat(packet)),
  );
  const played = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    played.set(part, start);
    start += part.length;
  }
  return played.slice(preSkip, pages.at(-1)?.granule);
}
