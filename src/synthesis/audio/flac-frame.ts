import { BitWriter } from './bit-writer.ts';
import { flacCrc8, flacCrc16 } from './flac-crc.ts';

/**
 * FLAC (RFC 9639) of 16-bit mono, as far as speech needs it: every frame predicts its samples with the
 * best of the five fixed predictors and writes what is left as Rice codes. Sections of the RFC are named
 * at what they define.
 */

const BITS_PER_SAMPLE = 16;
/** §9.1.1. */
const SYNC_AND_FIXED_SIZE = 0xfff8;
/** §9.1.1, table 14: 256 × 2ⁿ⁻⁸ samples, or a number of 16 bits at the header's end. */
const SIZE_1024 = 0b1010;
const SIZE_FOLLOWS = 0b0111;
/** §9.1.2, table 15. */
const RATE_CODES: ReadonlyMap<number, number> = new Map([
  [8000, 4],
  [16_000, 5],
  [22_050, 6],
  [24_000, 7],
  [32_000, 8],
  [44_100, 9],
  [48_000, 10],
]);
/** §9.1.3 and §9.1.4: one channel, 16 bits, and the reserved bit. */
const MONO_16_BIT = 0b0000_100_0;
/** §9.2.1: a fixed predictor, whose order is added. */
const FIXED_SUBFRAME = 0b001000;
const MAX_ORDER = 4;
/** §9.2.7: Rice parameters of 4 bits, of which 15 means something else. */
const MAX_RICE_PARAMETER = 14;
/** A full frame has eight parts with a Rice parameter each, a short one has one. */
const FULL_PARTITION_ORDER = 3;

/** Samples of every frame but the last: 43 ms at 24 kHz. */
export const FLAC_FRAME_SAMPLES = 1024;

/** The four letters that a stream begins with (§6), and its one metadata block (§8.2), of unknown length. */
export function flacHeader(sampleRate: number): Uint8Array {
  const bits = new BitWriter();
  for (const letter of Buffer.from('fLaC')) bits.write(letter, 8);
  bits.write(1, 1); // The last block,
  bits.write(0, 7); // which is STREAMINFO,
  bits.write(34, 24); // of so many bytes.
  bits.write(FLAC_FRAME_SAMPLES, 16);
  bits.write(FLAC_FRAME_SAMPLES, 16);
  bits.write(0, 24); // Sizes of frames are not known.
  bits.write(0, 24);
  bits.write(sampleRate, 20);
  bits.write(0, 3); // One channel.
  bits.write(BITS_PER_SAMPLE - 1, 5);
  bits.write(0, 4); // Neither is the number of samples,
  for (let part = 0; part < 10; part++) bits.write(0, 16); // nor the MD5 sum of them all.
  return bits.bytes.slice();
}

/**
 * One frame (§9).
 * @param index of the frame in its stream, from 0.
 * @param samples at most `FLAC_FRAME_SAMPLES`; fewer in the last frame only.
 */
export function flacFrame(index: number, samples: Int16Array, sampleRate: number): Uint8Array {
  const bits = new BitWriter();
  const isFull = samples.length === FLAC_FRAME_SAMPLES;
  bits.write(SYNC_AND_FIXED_SIZE, 16);
  bits.write(isFull ? SIZE_1024 : SIZE_FOLLOWS, 4);
  bits.write(RATE_CODES.get(sampleRate) ?? 0, 4);
  bits.write(MONO_16_BIT, 8);
  // §9.1.5 writes numbers as UTF-8 writes characters.
  for (const byte of Buffer.from(String.fromCodePoint(index))) bits.write(byte, 8);
  if (!isFull) bits.write(samples.length - 1, 16);
  bits.write(flacCrc8(bits.bytes), 8);
  writeSubframe(bits, samples, isFull ? FULL_PARTITION_ORDER : 0);
  bits.align();
  bits.write(flacCrc16(bits.bytes), 16);
  return bits.bytes.slice();
}

function writeSubframe(bits: BitWriter, samples: Int16Array, partitionOrder: number): void {
  const { order, residual } = bestPrediction(samples);
  bits.write(0, 1);
  bits.write(FIXED_SUBFRAME + order, 6);
  bits.write(0, 1);
  for (const sample of samples.subarray(0, order)) bits.write(sample, BITS_PER_SAMPLE);
  bits.write(0, 2); // Rice parameters have 4 bits.
  bits.write(partitionOrder, 4);
  const partitions = 1 << partitionOrder;
  const length = samples.length / partitions;
  for (let part = 0; part < partitions; part++) {
    // What the predictor begins with is missing in the first part.
    writePartition(bits, residual.subarray(Math.max(order, part * length), (part + 1) * length));
  }
}

/**
 * The fixed predictors of §9.2.5 are differences of differences: the residual of each order is that of
 * the order below, differentiated once more.
 */
function bestPrediction(samples: Int16Array): { order: number; residual: Int32Array } {
  let candidate = Int32Array.from(samples);
  let best = { order: 0, residual: candidate, size: magnitude(candidate, 0) };
  for (let order = 1; order <= Math.min(MAX_ORDER, samples.length - 1); order++) {
    const before = candidate;
    candidate = before.map((value, at) =>
      at < order ? value : value - (before[at - 1] as number),
    );
    const size = magnitude(candidate, order);
    if (size < best.size) best = { order, residual: candidate, size };
  }
  return best;
}

function magnitude(residual: Int32Array, order: number): number {
  let sum = 0;
  for (let at = order; at < residual.length; at++) sum += Math.abs(residual[at] as number);
  return sum;
}

/** §9.2.7.1: each value as a unary quotient and a remainder of as many bits as suits the part best. */
function writePartition(bits: BitWriter, residual: Int32Array): void {
  const folded = residual.map((value) => (value >= 0 ? 2 * value : -2 * value - 1));
  const parameter = bestRiceParameter(folded);
  bits.write(parameter, 4);
  for (const value of folded) {
    bits.writeUnary(value >> parameter);
    bits.write(value, parameter);
  }
}

function bestRiceParameter(folded: Int32Array): number {
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let parameter = 0; parameter <= MAX_RICE_PARAMETER; parameter++) {
    let size = folded.length * (parameter + 1);
    for (const value of folded) size += value >> parameter;
    if (size < fewest) {
      best = parameter;
      fewest = size;
    }
  }
  return best;
}
