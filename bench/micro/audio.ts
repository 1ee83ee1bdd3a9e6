import { openEncoder } from '../../src/audio/encoder.ts';
import { OUTPUT_FORMATS } from '../../src/domain/audio.ts';
import { printTable, round } from '../latency/report.ts';

const INPUT_RATES = [22050, 24000];
const BLOCK_SAMPLES = 2048;
const SPEECH_SECONDS = 60;

/** How many times faster than it sounds each output format is resampled and encoded, on one core. */
export async function audio(): Promise<unknown> {
  const results = INPUT_RATES.flatMap((inputRate) =>
    OUTPUT_FORMATS.map((format) => {
      const block = Float32Array.from({ length: BLOCK_SAMPLES }, () => Math.random() - 0.5);
      const blocks = Math.ceil((SPEECH_SECONDS * inputRate) / BLOCK_SAMPLES);
      const encode = () => {
        const encoder = openEncoder(format, inputRate);
        for (let index = 0; index < blocks; index++) encoder.encode(block);
        encoder.flush();
      };
      encode();
      const before = process.cpuUsage();
      encode();
      const { user, system } = process.cpuUsage(before);
      const timesRealTime = (1e6 * SPEECH_SECONDS) / (user + system);
      return { inputRate, format: format.name, timesRealTime };
    }),
  );
  printTable(
    'Resampling and encoding, one core',
    results.map(({ inputRate, format, timesRealTime }) => ({
      from: inputRate,
      to: format,
      'times real time': round(timesRealTime, 0),
    })),
  );
  return results;
}
