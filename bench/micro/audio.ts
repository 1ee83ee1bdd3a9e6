import { OUTPUT_FORMATS, type OutputFormat } from '../../src/domain/audio.ts';
import { prepareCodecs } from '../../src/synthesis/audio/codec.ts';
import { openEncoder } from '../../src/synthesis/audio/encoder.ts';
import { printTable, round } from '../latency/report.ts';

const INPUT_RATES = [22050, 24000];
const BLOCK_SAMPLES = 2048;
const SPEECH_SECONDS = 60;

interface EncodingFigures {
  readonly inputRate: number;
  readonly format: string;
  /** How many times faster than it sounds, on one core. */
  readonly timesRealTime: number;
  /** Audio that has gone in and cannot be heard from the bytes yet, after the first block. */
  readonly heldBackMs: number;
}

/** What resampling and encoding cost, and how late they are, for each output format. */
export async function audio(): Promise<readonly EncodingFigures[]> {
  const results: EncodingFigures[] = [];
  for (const inputRate of INPUT_RATES) {
    for (const format of OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable)) {
      await prepareCodecs();
      results.push(measure(format, inputRate));
    }
  }
  printTable(
    'Resampling and encoding, one core',
    results.map(({ inputRate, format, timesRealTime, heldBackMs }) => ({
      from: inputRate,
      to: format,
      'times real time': round(timesRealTime, 0),
      'held back, ms': round(heldBackMs, 1),
    })),
  );
  return results;
}

function measure(format: OutputFormat, inputRate: number): EncodingFigures {
  const speech = speechLike(inputRate);
  const encode = () => {
    const encoder = openEncoder(format, inputRate);
    let heldBackMs: number | undefined;
    for (let start = 0; start < speech.length; start += BLOCK_SAMPLES) {
      encoder.encode(speech.subarray(start, start + BLOCK_SAMPLES));
      heldBackMs ??=
        1000 * (BLOCK_SAMPLES / inputRate - encoder.encodedSamples / format.sampleRate);
    }
    encoder.flush();
    return heldBackMs ?? 0;
  };
  encode();
  const before = process.cpuUsage();
  const heldBackMs = encode();
  const { user, system } = process.cpuUsage(before);
  const timesRealTime = (1e6 * SPEECH_SECONDS) / (user + system);
  return { inputRate, format: format.name, timesRealTime, heldBackMs };
}

/** Harmonics of a gliding pitch in syllables, over a little noise: codecs work less on either alone. */
function speechLike(rate: number): Float32Array {
  return Float32Array.from({ length: SPEECH_SECONDS * rate }, (_, index) => {
    const seconds = index / rate;
    const phase = 2 * Math.PI * (140 * seconds + 4 * Math.sin(2 * seconds));
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 2 * seconds));
    let voiced = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic++) {
      voiced += Math.sin(harmonic * phase) / harmonic;
    }
    return 0.2 * syllable * voiced + 0.02 * (Math.random() - 0.5);
  });
}
