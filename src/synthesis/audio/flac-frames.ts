import { flacCrc8, flacCrc16 } from './flac-crc.ts';
import { FLAC_FRAME_SAMPLES } from './flac-frame.ts';

const STREAM_HEADER_BYTES = 42;
const STREAM_MARKER = 'fLaC';
/** Sync, size and rate, channels: what every frame begins with, before its number. */
const FIXED_HEADER_BYTES = 4;
const CHECKSUM_BYTES = 2;

/**
 * Samples of FLAC as `flacFrame` writes it, in streams that follow one another. A frame does not say
 * how many bytes it has: it ends where its checksum fits and another frame or stream begins.
 * @throws RangeError where no frame begins or one is cut short.
 */
export function countFlacSamples(encoded: Uint8Array): number {
  let samples = 0;
  for (let start = 0; start < encoded.length; ) {
    if (isStreamStart(encoded, start)) start += STREAM_HEADER_BYTES;
    if (start >= encoded.length) break;
    const header = readHeader(encoded, start);
    if (!header) throw new RangeError(`No FLAC frame begins at byte ${start}.`);
    samples += header.samples;
    start = frameEnd(encoded, start, header.bytes);
  }
  return samples;
}

function isStreamStart(encoded: Uint8Array, start: number): boolean {
  return Buffer.from(encoded.subarray(start, start + 4)).toString('latin1') === STREAM_MARKER;
}

function readHeader(
  encoded: Uint8Array,
  start: number,
): { readonly bytes: number; readonly samples: number } | undefined {
  const [sync, fixed, sizeAndRate = 0] = encoded.subarray(start, start + FIXED_HEADER_BYTES);
  if (sync !== 0xff || fixed !== 0xf8) return undefined;
  const numberStart = start + FIXED_HEADER_BYTES;
  const numberBytes = utf8Length(encoded[numberStart] ?? 0);
  const hasSize = sizeAndRate >> 4 === 0b0111;
  const bytes = FIXED_HEADER_BYTES + numberBytes + (hasSize ? 2 : 0) + 1;
  if (flacCrc8(encoded.subarray(start, start + bytes)) !== 0) return undefined;
  const sizeStart = numberStart + numberBytes;
  const [high = 0, low = 0] = encoded.subarray(sizeStart, sizeStart + 2);
  return { bytes, samples: hasSize ? 256 * high + low + 1 : FLAC_FRAME_SAMPLES };
}

function utf8Length(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function frameEnd(encoded: Uint8Array, start: number, headerBytes: number): number {
  for (let end = start + headerBytes + CHECKSUM_BYTES; end <= encoded.length; end++) {
    const mayEnd =
      end === encoded.length ||
      isStreamStart(encoded, end) ||
      readHeader(encoded, end) !== undefined;
    if (mayEnd && flacCrc16(encoded.subarray(start, end)) === 0) return end;
  }
  throw new RangeError(`The FLAC frame at ${start} is cut short.`);
}
