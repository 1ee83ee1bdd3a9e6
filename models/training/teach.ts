// Lets Kokoro speak a list of sentences and keeps its speech with the curves it made on the way:
//   tsx models/training/teach.ts --teacher FOLDER --sentences sentences.jsonl --out FOLDER
// With --curves only durations, pitch and energy, in a fraction of the time.
// A run that was killed goes on with the first shard that is missing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { kokoroIds } from '../../src/synthesis/engine/kokoro/kokoro-ids.ts';
import { symbolRulesFor } from '../../src/synthesis/engine/kokoro/symbol-rules.ts';
import { PAD_ID } from '../../src/synthesis/engine/kokoro/vocabulary.ts';
import { type ShardEntry, ShardFolder } from './shard.ts';
import { SpokenText } from './spoken-text.ts';

const UTTERANCES_PER_SHARD = 28;
const PITCH_VALUES_PER_S = 80;
/** Full scale of the stored samples: some voices overshoot 1. */
const LOUDEST = 2;
const STYLE_WIDTH = 256;
const STYLE_ROWS = 510;

interface Utterance {
  readonly id: number;
  readonly text: string;
  readonly voice: string;
  readonly source: string;
  readonly split: string;
}

const { values } = parseArgs({
  options: {
    teacher: { type: 'string', default: '.' },
    sentences: { type: 'string', default: 'sentences.jsonl' },
    out: { type: 'string', default: 'speech' },
    curves: { type: 'boolean', default: false },
  },
});

class Teacher {
  readonly #session: InferenceSession;
  readonly #folder: string;
  readonly #styles = new Map<string, Float32Array>();
  readonly #text: SpokenText;

  private constructor(folder: string, session: InferenceSession, text: SpokenText) {
    this.#folder = folder;
    this.#session = session;
    this.#text = text;
  }

  static async open(folder: string): Promise<Teacher> {
    const path = join(folder, values.curves ? 'curves.onnx' : 'teacher.onnx');
    if (!existsSync(path)) throw new Error(`${path} is missing: make it with widen_teacher.py.`);
    const session = await InferenceSession.create(path, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableMemPattern: false,
    });
    return new Teacher(folder, session, await SpokenText.open());
  }

  /** @returns nothing for a text without a sound, or speech that is not finite. */
  async speak({ text, voice, ...rest }: Utterance): Promise<ShardEntry | undefined> {
    const isBritish = voice.startsWith('b');
    const read = this.#text.symbols(text, isBritish ? 'en' : 'en-us');
    const { ids: spoken } = kokoroIds(read, symbolRulesFor(isBritish ? 'en-GB' : 'en-US'));
    if (spoken.length === 0) return undefined;
    const ids = [PAD_ID, ...spoken, PAD_ID];
    const row = Math.min(spoken.length, STYLE_ROWS - 1);
    const result = await this.#session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      style: new Tensor('float32', this.#style(voice, row), [1, STYLE_WIDTH]),
      speed: new Tensor('float32', Float32Array.of(1), [1]),
    });
    const read32 = (name: string) => result[name]?.data as Float32Array;
    const curves = {
      durations: Float32Array.from(read32('durations')),
      pitch: Float32Array.from(read32('pitch')),
      energy: Float32Array.from(read32('energy')),
    };
    const waveform = values.curves ? new Float32Array() : read32('waveform');
    const made = [waveform, ...Object.values(curves)];
    if (!made.every((array) => array.every(Number.isFinite))) return undefined;
    return {
      facts: { ...rest, text, voice, styleRow: row },
      arrays: {
        pcm: Int16Array.from(waveform, (sample) => clamp(sample / LOUDEST) * 32_767),
        ids: Uint8Array.from(ids),
        ...curves,
      },
    };
  }

  #style(voice: string, row: number): Float32Array {
    const path = join(this.#folder, 'voices', `${voice}.bin`);
    const known = this.#styles.get(voice);
    const rows = known ?? new Float32Array(new Uint8Array(readFileSync(path)).buffer);
    this.#styles.set(voice, rows);
    return rows.slice(row * STYLE_WIDTH, (row + 1) * STYLE_WIDTH);
  }
}

function clamp(sample: number): number {
  return Math.max(-1, Math.min(1, sample));
}

const utterances = readFileSync(values.sentences, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Utterance => JSON.parse(line));
const teacher = await Teacher.open(values.teacher);
const folder = new ShardFolder(values.out);
for (let shard = 0; shard * UTTERANCES_PER_SHARD < utterances.length; shard++) {
  if (folder.has(shard)) continue;
  const start = process.hrtime.bigint();
  const cpuStart = process.cpuUsage();
  const first = shard * UTTERANCES_PER_SHARD;
  const entries: ShardEntry[] = [];
  let dropped = 0;
  for (const utterance of utterances.slice(first, first + UTTERANCES_PER_SHARD)) {
    const entry = await teacher.speak(utterance);
    if (entry) entries.push(entry);
    else dropped++;
  }
  folder.write(shard, entries);
  const frames = entries.reduce((sum, { arrays }) => sum + (arrays['pitch']?.length ?? 0), 0);
  const speechS = frames / PITCH_VALUES_PER_S;
  const { user, system } = process.cpuUsage(cpuStart);
  const wallS = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(
    `${new Date().toISOString()} shard ${shard}: ${entries.length} utterances, ${dropped} dropped, ` +
      `${speechS.toFixed(0)} s of speech, ${((user + system) / 1e6 / speechS).toFixed(2)} CPU s ` +
      `and ${(wallS / speechS).toFixed(2)} s a second`,
  );
}
