// Lets a Piper voice speak a list of sentences and keeps what its decoder read and what it made of it:
//   tsx models/training/latents.ts --voice models/en_US-libritts_r-medium --sentences sentences.jsonl
//     --count 1200 --out FOLDER
// A run that was killed goes on with the first shard that is missing.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { phonemeIds } from '../../src/synthesis/engine/phoneme-ids.ts';
import { StageRunner } from '../../src/synthesis/engine/stage-runner.ts';
import { readVoiceConfig } from '../../src/synthesis/engine/voice-config.ts';
import { cutVoice } from '../../src/synthesis/graph/stage-cache.ts';
import { type ShardEntry, ShardFolder } from './shard.ts';
import { SpokenText } from './spoken-text.ts';

const UTTERANCES_PER_SHARD = 40;
/** Speakers beyond the chosen ones: every so many rows of the speaker table, so that blends work. */
const EVERY_SPEAKER = 60;
/** The deliveries that the server's settings span, in turn. */
const NOISE_SCALES = [0.333, 0.5, 0.667] as const;

const { values } = parseArgs({
  options: {
    voice: { type: 'string', default: 'models/en_US-libritts_r-medium' },
    sentences: { type: 'string', default: 'sentences.jsonl' },
    count: { type: 'string', default: '1200' },
    out: { type: 'string', default: 'latents' },
  },
});

const modelPath = join(values.voice, `${basename(values.voice)}.onnx`);
const config = readVoiceConfig(`${modelPath}.json`);
const { directory, facts } = cutVoice(modelPath, [join(values.voice, '../.cache/stages')]);
const stages = await StageRunner.open(directory, facts);
const text = await SpokenText.open();

/** The chosen speakers twice as often as each of the others. */
function speakers(): number[] {
  const listed: { modelFile: string; speaker: number }[] = JSON.parse(
    readFileSync(join(values.voice, '../voices.json'), 'utf8'),
  );
  const chosen = listed
    .filter(({ modelFile }) => modelFile === basename(values.voice))
    .map(({ speaker }) => speaker);
  const others = Array.from(
    { length: Math.floor(config.speakers / EVERY_SPEAKER) },
    (_, i) => i * EVERY_SPEAKER,
  );
  return [...chosen, ...others, ...chosen];
}

async function speak(
  utterance: Readonly<Record<'text' | 'split', string>>,
  number: number,
  speaker: number,
): Promise<ShardEntry | undefined> {
  const symbols = text.symbols(utterance.text, config.espeakVoice);
  const { ids } = phonemeIds(symbols, config);
  if (ids.length === 0) return undefined;
  const encoding = await stages.text({
    ids,
    speaker,
    seed: number,
    noiseScale: NOISE_SCALES[number % NOISE_SCALES.length] ?? 0.333,
    lengthScale: config.inference.lengthScale,
    noiseW: config.inference.noiseW,
  });
  const waveform = await stages.window(encoding, { from: 0, to: encoding.frames });
  const [condition = ''] = facts.decoder.conditions;
  return {
    facts: { ...utterance, speaker, frames: encoding.frames, symbols: symbols.join('') },
    arrays: {
      pcm: Int16Array.from(waveform, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767),
      latent: Float32Array.from(encoding.latent),
      condition: Float32Array.from(encoding.conditions[condition] ?? []),
    },
  };
}

const utterances = readFileSync(values.sentences, 'utf8').trimEnd().split('\n');
const turns = speakers();
const folder = new ShardFolder(values.out);
for (let first = 0; first < Number(values.count); first += UTTERANCES_PER_SHARD) {
  const shard = first / UTTERANCES_PER_SHARD;
  if (folder.has(shard)) continue;
  const entries: ShardEntry[] = [];
  for (const [index, line] of utterances.slice(first, first + UTTERANCES_PER_SHARD).entries()) {
    const number = first + index;
    const entry = await speak(JSON.parse(line), number, turns[number % turns.length] ?? 0);
    if (entry) entries.push(entry);
  }
  folder.write(shard, entries);
  const frames = entries.reduce((sum, { facts: { frames } }) => sum + Number(frames), 0);
  const speechS = (frames * facts.hopLength) / config.sampleRate;
  console.log(`${new Date().toISOString()} shard ${shard}: ${speechS.toFixed(0)} s of speech`);
}
await stages.close();
