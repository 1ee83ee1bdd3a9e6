import { setImmediate } from 'node:timers/promises';
import type { RecordingAnalysis } from '../../domain/account-voice.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { RandomAccessFile } from '../../domain/uploaded-file.ts';
import { readWav } from './wav.ts';

/** What is written for silence, whose level is −∞. */
const SILENCE_DBFS = -120;
/** About a millisecond's work: calls go on while somebody's recording is looked at. */
const SLICE_BYTES = 16 * 1024;
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** As much of a format chunk as says anything to `readWav`. */
const MAX_FORMAT_BYTES = 40;
/** Recorders write a handful; a million empty ones would only be there to keep us busy. */
const MAX_CHUNKS = 1000;

/**
 * Listens to a WAV file, a slice at a time, none of which stays in memory.
 *
 * @returns the level as AES17 has it: 0 dB of full scale is a square wave as loud as can be.
 * @throws SpeechError `invalid_input_message` when it cannot be read.
 */
export async function analyseRecording(file: RandomAccessFile): Promise<RecordingAnalysis> {
  let sampleCount = 0;
  let energy = 0;
  let sampleRate = 0;
  for await (const slice of slicesOf(file)) {
    const audio = readWav(slice);
    sampleRate = audio.sampleRate;
    sampleCount += audio.samples.length;
    for (const sample of audio.samples) energy += sample * sample;
    await setImmediate();
  }
  const level = Math.sqrt(energy / Math.max(1, sampleCount));
  return {
    durationMs: Math.round((sampleCount / sampleRate) * 1000),
    sampleRate,
    levelDbfs: level > 0 ? Math.max(SILENCE_DBFS, 20 * Math.log10(level)) : SILENCE_DBFS,
  };
}

/**
 * The file as several small ones, each with the format of the whole and a part of its audio. Of a file
 * without audio there is one, of what it has, to be refused.
 */
async function* slicesOf(file: RandomAccessFile): AsyncGenerator<Uint8Array> {
  const { format, audio } = await partsOf(file);
  const head = [await file.read(0, RIFF_HEADER_BYTES)];
  if (format) head.push(riffChunk('fmt ', format));
  if (!audio) {
    yield Buffer.concat(head);
    return;
  }
  const frameBytes = format && format.length >= 14 ? viewOf(format).getUint16(12, true) : 0;
  const sliceBytes = Math.ceil(SLICE_BYTES / Math.max(1, frameBytes)) * Math.max(1, frameBytes);
  let position = audio.start;
  do {
    const samples = await file.read(position, Math.min(sliceBytes, audio.end - position));
    yield Buffer.concat([...head, riffChunk('data', samples)]);
    position += sliceBytes;
  } while (position < audio.end);
}

interface Parts {
  readonly format: Uint8Array | undefined;
  readonly audio: { readonly start: number; readonly end: number } | undefined;
}

/** The last format chunk before the audio, and where the audio is, as far as both are there. */
async function partsOf(file: RandomAccessFile): Promise<Parts> {
  let format: Uint8Array | undefined;
  let chunkCount = 0;
  for (let offset = RIFF_HEADER_BYTES; offset + CHUNK_HEADER_BYTES <= file.sizeBytes; ) {
    if (chunkCount++ === MAX_CHUNKS) throw tooManyChunks();
    const header = await file.read(offset, CHUNK_HEADER_BYTES);
    const size = viewOf(header).getUint32(4, true);
    const tag = Buffer.from(header.subarray(0, 4)).toString('latin1');
    const start = offset + CHUNK_HEADER_BYTES;
    if (tag === 'fmt ') format = await file.read(start, Math.min(size, MAX_FORMAT_BYTES));
    // A recorder that was streaming promises more than there is.
    if (tag === 'data')
      return { format, audio: { start, end: Math.min(start + size, file.sizeBytes) } };
    offset = start + size + (size % 2);
  }
  return { format, audio: undefined };
}

function riffChunk(tag: 'fmt ' | 'data', content: Uint8Array): Uint8Array {
  const header = Buffer.from(`${tag}\0\0\0\0`, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, new Uint8Array(content.length % 2)]);
}

function tooManyChunks(): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `The audio file has more than ${MAX_CHUNKS} chunks before its audio: save it anew.`,
  );
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
