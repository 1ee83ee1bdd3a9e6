// Counts the words that a recogniser mishears over a telephone, of a student and of its teacher:
//   tsx models/training/listen.ts FOLDER
// FOLDER is what speak_unseen.py wrote. Both are heard as mu-law at 8 kHz. Besides the figures it
// leaves them as WAV files for the ear.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseOutputFormat } from '../../src/domain/audio.ts';
import { mulaw } from '../../src/synthesis/audio/codecs/mulaw.ts';
import { Resampler } from '../../src/synthesis/audio/resampler.ts';
import { wavFile } from '../../src/synthesis/audio/wav.ts';
import { openRecogniser } from '../../test/support/recogniser.ts';
import { countWordErrors } from '../../test/support/word-errors.ts';

const PHONE_RATE = 8000;
const SPEAKERS = ['student', 'teacher'] as const;

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = '.'] = positionals;
const { sampleRate, texts }: { sampleRate: number; texts: string[] } = JSON.parse(
  readFileSync(join(folder, 'index.json'), 'utf8'),
);
const recogniser = await openRecogniser();

function overTelephone(path: string): Uint8Array {
  const samples = new Float32Array(new Uint8Array(readFileSync(path)).buffer);
  const resampler = new Resampler(sampleRate, PHONE_RATE);
  const pieces = [resampler.process(samples), resampler.flush()];
  return Buffer.concat(pieces.map((piece) => mulaw.encode(piece)));
}

for (const speaker of SPEAKERS) {
  let errors = 0;
  let words = 0;
  for (const [number, text] of texts.entries()) {
    const path = join(folder, `${number}.${speaker}.f32`);
    const encoded = overTelephone(path);
    writeFileSync(path.replace(/f32$/, 'wav'), wavFile(parseOutputFormat('ulaw_8000'), encoded));
    const heard = await recogniser.transcribe(mulaw.decode(encoded), PHONE_RATE);
    const found = countWordErrors(text, heard);
    errors += found.errors;
    words += found.words;
  }
  const percent = ((100 * errors) / words).toFixed(1);
  console.log(`${speaker}: ${errors} of ${words} words wrong, ${percent} %`);
}
await recogniser.close();
