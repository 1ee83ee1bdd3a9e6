import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { floats, tensorData, wholes } from '../../../../src/synthesis/engine/tensors.ts';
import {
  type Node,
  type OnnxGraph,
  type Tensor as Weight,
  wholeNumberAttribute,
  wholeNumbers,
  wholeNumbersAttribute,
} from '../../../../src/synthesis/graph/onnx-graph.ts';
import {
  END_OF_TENSOR,
  type StreamedStage,
  type StreamFacts,
  streamStage,
} from '../../../../src/synthesis/graph/streamed-stage.ts';
import { unevenValues, unevenWeight } from './image-graph.ts';
import { smallGraph } from './small-graph.ts';

function conv(input: string, output: string, kernel: number, dilation = 1): Node {
  const pad = (dilation * (kernel - 1)) / 2;
  return {
    opType: 'Conv',
    input: [input, `${output}_weight`, `${output}_bias`],
    output: [output],
    attribute: [
      wholeNumbersAttribute('kernel_shape', [kernel]),
      wholeNumbersAttribute('dilations', [dilation]),
      wholeNumbersAttribute('pads', [pad, pad]),
    ],
  };
}

const along = wholeNumberAttribute('axis', 1);
const pointwise = (opType: string, input: string[], output: string): Node => ({
  opType,
  input,
  output: [output],
});

/** What a coupling layer of a flow has: halves, gates, a residual, and a way around all of it. */
const coupling: Node[] = [
  { opType: 'Split', input: ['x', 'halves'], output: ['a', 'b'], attribute: [along] },
  conv('a', 'wide', 1),
  conv('wide', 'near', 3),
  pointwise('Tanh', ['near'], 'gate'),
  pointwise('Add', ['wide', 'gate'], 'residual'),
  conv('residual', 'far', 5, 2),
  pointwise('Add', ['gate', 'far'], 'skip'),
  conv('skip', 'mean', 1),
  pointwise('Sub', ['b', 'mean'], 'moved'),
  { opType: 'Concat', input: ['a', 'moved'], output: ['y'], attribute: [along] },
];

const weights: Weight[] = [
  wholeNumbers('halves', [2, 2]),
  unevenWeight('wide_weight', [3, 2, 1]),
  unevenWeight('wide_bias', [3]),
  unevenWeight('near_weight', [3, 3, 3]),
  unevenWeight('near_bias', [3]),
  unevenWeight('far_weight', [3, 3, 5]),
  unevenWeight('far_bias', [3]),
  unevenWeight('mean_weight', [2, 3, 1]),
  unevenWeight('mean_bias', [2]),
];

const CHANNELS = 4;
const stage = smallGraph(...coupling)
  .rewrite(coupling, weights)
  .extract([{ tensor: 'x', name: 'x', type: 'float' }], [{ tensor: 'y', name: 'output' }]);
const streamed = streamStage(stage, { name: 'x', channels: CHANNELS }, 'output');

const open = (graph: OnnxGraph) => InferenceSession.create(graph.serialise());

async function wholeRun(samples: Float32Array): Promise<Float32Array> {
  const session = await open(stage);
  const x = floats([1, CHANNELS, samples.length / CHANNELS], samples);
  return tensorData(await session.run({ x }), 'output');
}

/** Runs the streamed stage over stretches that end where `ends` says; joins what comes out. */
async function streamedRun(
  { graph, stream }: StreamedStage,
  samples: Float32Array,
  ends: readonly number[],
): Promise<number[][]> {
  const session = await open(graph);
  const frames = samples.length / CHANNELS;
  const rows: number[][] = Array.from({ length: CHANNELS }, () => []);
  let carried: Record<string, Tensor> = {};
  let from = 0;
  for (const to of ends) {
    const cut = rowsOf(samples, CHANNELS).flatMap((row) => row.slice(from, to));
    const result = await session.run({
      x: floats([1, CHANNELS, to - from], Float32Array.from(cut)),
      ...carryFeeds(stream, from === 0),
      ...edgeFeeds(stream, to === frames),
      ...carried,
    });
    const made = rowsOf(tensorData(result, 'output'), CHANNELS);
    for (const [channel, row] of rows.entries()) row.push(...(made[channel] ?? []));
    carried = Object.fromEntries(
      stream.carries.map(({ input, output }) => [input, result[output] as Tensor]),
    );
    from = to;
  }
  return rows;
}

function carryFeeds({ carries }: StreamFacts, isFirst: boolean): Record<string, Tensor> {
  return Object.fromEntries(
    carries.flatMap(({ input, channels, firstLengths, lengths }) => {
      const pieces = isFirst ? firstLengths : lengths;
      const width = pieces.reduce((sum, length) => sum + length, 0);
      return [
        [input, zeros(channels, width)],
        [`${input}_lengths`, wholes([pieces.length], pieces)],
      ];
    }),
  );
}

function edgeFeeds({ paddings, holds }: StreamFacts, isLast: boolean): Record<string, Tensor> {
  return Object.fromEntries([
    ...paddings.map(({ input, channels, frames }) => [input, zeros(channels, isLast ? frames : 0)]),
    ...holds.map(({ input, frames }) => [input, wholes([1], [isLast ? END_OF_TENSOR : -frames])]),
  ]);
}

function zeros(channels: number, width: number): Tensor {
  return floats([1, channels, width], new Float32Array(channels * width));
}

function rowsOf(samples: Float32Array, channels: number): number[][] {
  const width = samples.length / channels;
  return Array.from({ length: channels }, (_, channel) =>
    Array.from(samples.slice(channel * width, (channel + 1) * width)),
  );
}

describe('a streamed stage', () => {
  it('lags by what its layers look ahead', () => {
    expect(streamed.stream.lag).toBe(1 + 4);
  });

  it.each([
    ['all at once', [40]],
    ['two stretches', [25, 40]],
    ['stretches shorter than the lag', [6, 7, 9, 12, 13, 14, 38, 40]],
    ['a last stretch of one frame', [39, 40]],
    ['less than the lag in all', [3]],
  ])('makes in %s what the whole makes', async (_, ends) => {
    const frames = ends.at(-1) ?? 0;
    const samples = unevenValues(CHANNELS * frames);
    const whole = rowsOf(await wholeRun(samples), CHANNELS);
    const rows = await streamedRun(streamed, samples, ends);
    for (const [channel, row] of rows.entries()) {
      expect(row.length).toBe(frames);
      row.forEach((value, i) => {
        expect(value).toBeCloseTo(whole[channel]?.[i] ?? Number.NaN, 4);
      });
    }
  });

  it('computes nothing twice: as much comes out as went in, late by the lag', async () => {
    const rows = await streamedRun(streamed, unevenValues(CHANNELS * 40), [12, 20]);
    expect(rows[0]?.length).toBe(20 - 5);
  });

  it.each([
    [pointwise('Softmax', ['x'], 'y'), 'Softmax'],
    [pointwise('ConvTranspose', ['x'], 'y'), 'changes the rate'],
  ])('refuses a layer that needs all of time, or changes its rate', (node, message) => {
    const input = { name: 'x', channels: CHANNELS };
    expect(() => streamStage(smallGraph(node), input, 'y')).toThrow(message);
  });
});
