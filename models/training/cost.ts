// What the exported phone voice costs, in CPU seconds for a second of speech on one thread:
//   tsx models/training/cost.ts FOLDER
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const FRAMES_PER_S = 80;
const HOP = 100;
const BINS = 201;
const BLOCKS = 6;
const WIDTH = 256;
const PAST = 6;
const INPUTS = 197;
const SYMBOLS_PER_S = 14;
const STRETCHES = [16, 64] as const;
const ROUNDS = 40;

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = '.'] = positionals;

function noise(dims: readonly number[]): Tensor {
  const size = dims.reduce((product, length) => product * length, 1);
  return new Tensor('float32', Float32Array.from({ length: size }, Math.random), dims);
}

function wholes(dims: readonly number[], value: bigint): Tensor {
  const size = dims.reduce((product, length) => product * length, 1);
  return new Tensor('int64', new BigInt64Array(size).fill(value), dims);
}

async function cost(file: string, feeds: Record<string, Tensor>, speechS: number): Promise<number> {
  const session = await InferenceSession.create(join(folder, file), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
  });
  await session.run(feeds);
  const start = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) await session.run(feeds);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6 / ROUNDS / speechS;
}

for (const frames of STRETCHES) {
  const decoder = {
    inputs: noise([1, INPUTS, frames + PAST]),
    timbre: noise([1, 128]),
    pulses: noise([1, (frames + 3) * HOP]),
    noise: noise([1, 2 * BINS, frames]),
    carried: noise([BLOCKS, WIDTH, PAST]),
  };
  const found = await cost('decoder.onnx', decoder, frames / FRAMES_PER_S);
  console.log(`decoder, ${frames} frames: ${found.toFixed(4)}`);
}
const speechS = 4;
const symbols = SYMBOLS_PER_S * speechS;
const frames = FRAMES_PER_S * speechS;
const ids = wholes([1, symbols], 50n);
const stages: readonly [string, Record<string, Tensor>][] = [
  ['symbols.onnx', { ids }],
  ['text.onnx', { ids, style: noise([1, 256]) }],
  [
    'curves.onnx',
    {
      hidden: noise([1, 256, symbols]),
      owners: wholes([1, frames], 3n),
      places: noise([1, 2, frames]),
    },
  ],
];
for (const [file, feeds] of stages) {
  console.log(`${file}: ${(await cost(file, feeds, speechS)).toFixed(4)}`);
}
