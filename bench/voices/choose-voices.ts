import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../../models/setup/build.mjs';
import { scanModels } from '../../src/synthesis/engine/model-catalog.ts';
import { EnginePool } from '../../src/synthesis/engine/pool.ts';
import { EspeakPhonemiser } from '../../src/synthesis/phonemes/espeak-phonemiser.ts';
import { printTable, writeResults } from '../latency/report.ts';
import { type Candidate, chooseVoices } from './choice.ts';
import { measureVoice } from './measurement.ts';
import { SENTENCES } from './sentences.ts';
import { type SpeechParts, speakSentence } from './speech-source.ts';

const MODEL = 'en_US-libritts_r-medium';
const PHONEME_LANGUAGE = 'en-us';
const VOICES_PER_GENDER = 8;
/** Every sentence is spoken with each: one delivery alone may be a lucky one. */
const SEEDS = [1, 2];

const USAGE = `npx tsx bench/voices/choose-voices.ts [speaker …]

Speaks ${SENTENCES.length} sentences twice with every speaker of candidates.csv, or with those named,
through a telephone line into the recogniser; prints what came of it and the choice that follows.`;

function readCandidates(): Candidate[] {
  const table = readFileSync(new URL('candidates.csv', import.meta.url), 'utf8');
  const [, ...rows] = table.trim().split('\n');
  return rows.map((row) => {
    const [speaker, reader, gender, nisqa] = row.split(',');
    return {
      speaker: Number(speaker),
      reader: Number(reader),
      gender: gender === 'female' ? 'female' : 'male',
      nisqa: Number(nisqa),
    };
  });
}

async function measureCandidates(parts: SpeechParts, candidates: readonly Candidate[]) {
  const measured = [];
  for (const candidate of candidates) {
    const readings = SEEDS.flatMap((seed) => SENTENCES.map((sentence) => ({ sentence, seed })));
    const measurement = await measureVoice(readings, ({ sentence, seed }) =>
      speakSentence(parts, {
        ...{ sentence, seed, modelFile: MODEL, phonemeLanguage: PHONEME_LANGUAGE },
        speaker: candidate.speaker,
      }),
    );
    measured.push({ ...candidate, ...measurement });
    console.error(`${measured.length} of ${candidates.length}`);
  }
  return measured;
}

const speakers = process.argv.slice(2).map(Number);
if (speakers.some(Number.isNaN)) {
  console.log(USAGE);
  process.exit(2);
}
const startedAt = new Date();
await build();
const modelsDir = fileURLToPath(new URL('../../models/', import.meta.url));
const parts = {
  phonemiser: new EspeakPhonemiser(),
  engine: new EnginePool({
    models: scanModels(modelsDir).models,
    cacheFolders: [fileURLToPath(new URL('../../models/.cache/', import.meta.url))],
    ...{ workers: 1, cores: 1, maxLoadedModels: 1 },
  }),
};
const candidates = readCandidates();
const measured = await measureCandidates(
  parts,
  speakers.length > 0 ? candidates.filter(({ speaker }) => speakers.includes(speaker)) : candidates,
);
const chosen = (['female', 'male'] as const).flatMap((gender) =>
  chooseVoices(
    measured.filter((voice) => voice.gender === gender),
    VOICES_PER_GENDER,
  ),
);
const rowsOf = (voices: typeof measured) => voices.map(({ misheard: _, ...row }) => ({ ...row }));
printTable('Measured', rowsOf(measured));
printTable('Chosen, the best first', rowsOf(chosen));
writeResults(startedAt, { voices: measured, chosen: chosen.map(({ speaker }) => speaker) });
await Promise.all([parts.engine.close(), parts.phonemiser.close()]);
