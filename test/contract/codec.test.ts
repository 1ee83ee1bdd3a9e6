import { FURTHER_FORMATS, OUTPUT_FORMATS } from '../../src/domain/audio.ts';
import { SAMPLE_CODECS } from '../../src/synthesis/audio/codec.ts';
import { sampleCodecContract } from './codec-contract.ts';
import { formatContract } from './codec-format-contract.ts';

for (const [name, codec] of Object.entries(SAMPLE_CODECS)) sampleCodecContract(name, codec);
// Formats that are not streamable are streamable ones in a file.
for (const format of [...OUTPUT_FORMATS, ...FURTHER_FORMATS]) {
  if (format.isStreamable) formatContract(format);
}
