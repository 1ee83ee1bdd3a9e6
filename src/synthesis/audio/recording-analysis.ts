import { setImmediate } from 'node:timers/promises';
import type { RecordingAnalysis } from '../../domain/account-voice.ts';
import { SpeechError } from '../../domain/errors.ts';
import { readWav } from './wav.ts';

/** What is written for silence, whose level is −∞. */
const SILENCE_DBFS = -120;
/** About a millisecond's work: calls go on while somebody's recording is looked at. */
const SLICE_BYTES = 16 * 1024;
const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Recorders write a handful; a million empty ones would only be there to keep us busy. */
const MAX_CHUNKS = 1000;

/**
 * Listens to a WAV file, a slice at a time.
 *
 * @returns the level as AES17 has it: 0 dB of full scale is a square wave as loud as can be.
 * @throws SpeechError `invalid_input_message` when it cannot be read.
 */
export async function analyseRecording(file: Uint8Array): Promise<RecordingAnalysis> {
  let sampleCount = 0;
  let energy = 0;
  let sampleRate = 0;
  for (const slice of slicesOf(file)) {
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
 * The file as several: each has the head of the whole and a part of its audio, which its data chunk
 * then promises more of than there is. A file without audio is left as it is, to be refused.
 */
function* slicesOf(file: Uint8Array): Generator<Uint8Array> {
  const chunks = riffChunks(file);
  const format = chunks.find(({ tag, start, end }) => tag === 'fmt ' && end - start >= 16);
  const data = chunks.find(({ tag }) => tag === 'data');
  if (!format || !data || data.end - data.start <= SLICE_BYTES) {
    yield file;
    return;
  }
  const head = [
    file.subarray(0, RIFF_HEADER_BYTES),
    file.subarray(format.start - CHUNK_HEADER_BYTES, format.end),
    file.subarray(data.start - CHUNK_HEADER_BYTES, data.start),
  ];
  const frameBytes = Math.max(1, viewOf(file).getUint16(format.start + 12, true));
  const sliceBytes = Math.ceil(SLICE_BYTES / frameBytes) * frameBytes;
  for (let start = data.start; start < data.end; start += sliceBytes) {
    yield Buffer.concat([...head, file.subarray(start, Math.min(start + sliceBytes, data.end))]);
  }
}

interface RiffChunk {
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

/** The chunks of a RIFF file up to its audio, as far as they are there. */
function riffChunks(file: Uint8Array): readonly RiffChunk[] {
  const chunks: RiffChunk[] = [];
  for (let offset = RIFF_HEADER_BYTES; offset + CHUNK_HEADER_BYTES <= file.length; ) {
    if (chunks.length === MAX_CHUNKS) throw tooManyChunks();
    const size = viewOf(file).getUint32(offset + 4, true);
    const start = offset + CHUNK_HEADER_BYTES;
    const tag = Buffer.from(file.subarray(offset, offset + 4)).toString('latin1');
    chunks.push({ tag, start, end: Math.min(start + size, file.length) });
    if (tag === 'data') break;
    offset = start + size + (size % 2);
  }
  return chunks;
}

function tooManyChunks(): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `The audio file has more than ${MAX_CHUNKS} chunks before its audio: save it anew.`,
  );
}

function viewOf(file: Uint8Array): DataView {
  return new DataView(file.buffer, file.byteOffset, file.byteLength);
}
