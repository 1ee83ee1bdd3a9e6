import type { OutputFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import { SAMPLE_CODECS, sampleCodecOf } from './codec.ts';

const HEADER_BYTES = 44;
const MAX_DATA_BYTES = 0xffff_ffff - HEADER_BYTES;
/** The true tag is then the first two bytes of the sub-format, 24 bytes into the chunk. */
const EXTENSIBLE_TAG = 0xfffe;

/**
 * The 44 bytes that go before mono audio of a format to make it a RIFF/WAVE file.
 *
 * @param dataBytes of the encoded audio; when odd, the file ends with one padding byte more.
 * @throws RangeError past 4 GiB, which the file cannot say, and for mp3, Opus and FLAC.
 */
export function wavHeader(format: OutputFormat, dataBytes: number): Uint8Array {
  if (dataBytes > MAX_DATA_BYTES) {
    throw new RangeError(`A WAV file cannot hold ${dataBytes} bytes of audio.`);
  }
  const { bytesPerSample, wavTag } = sampleCodecOf(format);
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const put = (offset: number, text: string) => bytes.set(Buffer.from(text, 'latin1'), offset);
  put(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes + (dataBytes % 2), true);
  put(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, wavTag, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, format.sampleRate, true);
  view.setUint32(28, format.sampleRate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, 8 * bytesPerSample, true);
  put(36, 'data');
  view.setUint32(40, dataBytes, true);
  return bytes;
}

/** A whole WAV file of audio that is encoded already. */
export function wavFile(format: OutputFormat, encoded: Uint8Array): Uint8Array {
  const padding = new Uint8Array(encoded.length % 2);
  return Buffer.concat([wavHeader(format, encoded.length), encoded, padding]);
}

/** The header of a WAV file that is sent while it is made: as long as one can be, since nobody knows. */
export function openWavHeader(format: OutputFormat): Uint8Array {
  return wavHeader(format, MAX_DATA_BYTES - 1);
}

export interface WavAudio {
  readonly sampleRate: number;
  /** Mono, −1…1; several channels are averaged. */
  readonly samples: Float32Array;
}

/**
 * Reads RIFF/WAVE files of 16-bit PCM, 32-bit float, mu-law or A-law, with any other chunks in between.
 * A data chunk that claims more than there is (a recorder that was streaming) ends with the file.
 *
 * @throws SpeechError `invalid_input_message` when the file is something else.
 */
export function readWav(file: Uint8Array): WavAudio {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tagAt = (offset: number) =>
    Buffer.from(file.subarray(offset, offset + 4)).toString('latin1');
  if (file.length < 12 || tagAt(0) !== 'RIFF' || tagAt(8) !== 'WAVE') {
    throw unreadable('It is not a RIFF/WAVE file');
  }
  let layout: WavLayout | undefined;
  for (let offset = 12; offset + 8 <= file.length; ) {
    const size = view.getUint32(offset + 4, true);
    const body = file.subarray(offset + 8, offset + 8 + size);
    if (tagAt(offset) === 'fmt ') layout = readLayout(body);
    if (tagAt(offset) === 'data') {
      if (!layout) throw unreadable('Its audio comes before its format');
      return { sampleRate: layout.sampleRate, samples: readSamples(body, layout) };
    }
    offset += 8 + size + (size % 2);
  }
  throw unreadable('It has no audio');
}

interface WavLayout {
  readonly channels: number;
  readonly sampleRate: number;
  readonly decode: (bytes: Uint8Array) => Float32Array;
}

function readLayout(chunk: Uint8Array): WavLayout {
  if (chunk.length < 16) throw unreadable('Its format chunk is cut short');
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const outerTag = view.getUint16(0, true);
  const tag =
    outerTag === EXTENSIBLE_TAG && chunk.length >= 26 ? view.getUint16(24, true) : outerTag;
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const bits = view.getUint16(14, true);
  const decode = sampleDecoder(tag, bits);
  if (!decode) throw unreadable(`Its encoding (format tag ${tag}, ${bits} bits) is not supported`);
  if (channels === 0 || sampleRate === 0) throw unreadable('It declares no channels or no rate');
  return { channels, sampleRate, decode };
}

function sampleDecoder(tag: number, bits: number): WavLayout['decode'] | undefined {
  const codec = Object.values(SAMPLE_CODECS).find(
    ({ wavTag, bytesPerSample }) => tag === wavTag && bits === 8 * bytesPerSample,
  );
  return codec?.decode;
}

function readSamples(body: Uint8Array, { channels, decode }: WavLayout): Float32Array {
  const interleaved = decode(body);
  if (channels === 1) return interleaved;
  return Float32Array.from({ length: Math.floor(interleaved.length / channels) }, (_, index) => {
    const together = interleaved.subarray(index * channels, (index + 1) * channels);
    return together.reduce((sum, sample) => sum + sample, 0) / channels;
  });
}

function unreadable(reason: string): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `The audio file cannot be read. ${reason}: send a WAV file of 16-bit PCM, 32-bit float, mu-law or A-law.`,
  );
}
