import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { inBlockedLayout } from '../../../../src/synthesis/graph/blocked-layout.ts';
import { type Node, OnnxGraph } from '../../../../src/synthesis/graph/onnx-graph.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { convolution, difference, imageGraph, runImage, unevenWeight } from './image-graph.ts';

const CHANNELS = 16;
const layer = (opType: string, input: string[], output: string): Node => ({
  ...{ opType, input, output: [output] },
});
const dilated = (input: string, output: string) =>
  convolution('Conv', [input, output], { kernel: 3, pad: 3, dilation: 3 });

/** An upsampling and a residual block of two halves, as HiFi-GAN has them, but for the weights. */
const BLOCK = [
  convolution('ConvTranspose', ['x', 'up'], { kernel: 4, stride: 2, pad: 1 }),
  layer('LeakyRelu', ['up'], 'active'),
  dilated('active', 'first'),
  layer('Add', ['first', 'up'], 'half'),
  layer('LeakyRelu', ['half'], 'half_active'),
  dilated('half_active', 'second'),
  layer('Add', ['second', 'half'], 'y'),
];

function stage(nodes: readonly Node[]): OnnxGraph {
  const weights = ['first', 'second', 'third'].map((name) =>
    unevenWeight(`w_${name}`, [CHANNELS, CHANNELS, 1, 3]),
  );
  return imageGraph(nodes, [...weights, unevenWeight('w_up', [CHANNELS, CHANNELS, 1, 4])]);
}

const copies = (graph: OnnxGraph) =>
  graph.nodes
    .filter(({ input }) => input[1]?.startsWith('copy_'))
    .map(({ input, output }) => `${input[0]} → ${output[0]}`);

/** Types of the layers that the runtime really runs. */
async function layersRun(graph: OnnxGraph): Promise<(string | null | undefined)[]> {
  const optimizedModelFilePath = join(temporaryDir(), 'optimised.onnx');
  const options = { optimizedModelFilePath, logSeverityLevel: 4 } as const;
  const session = await InferenceSession.create(graph.serialise(), options);
  await session.release();
  return OnnxGraph.parse(readFileSync(optimizedModelFilePath)).nodes.map(({ opType }) => opType);
}

describe('residual blocks in the blocked layout', () => {
  it('compute the same', async () => {
    const before = await runImage(stage(BLOCK), CHANNELS, 30);
    const after = await runImage(inBlockedLayout(stage(BLOCK)), CHANNELS, 30);
    expect(after.dims).toEqual(before.dims);
    expect(difference(before.values, after.values)).toBeLessThan(1e-4);
  });

  it('are copied where they begin and before activations', () => {
    expect(copies(inBlockedLayout(stage(BLOCK)))).toEqual([
      'up_copied → up',
      'up → active_copied',
      'half → half_active_copied',
    ]);
  });

  it.runIf(process.arch === 'x64')('are added up within the runtime’s convolutions', async () => {
    expect(await layersRun(stage(BLOCK))).toEqual(expect.arrayContaining(['Add', 'LeakyRelu']));
    const layers = await layersRun(inBlockedLayout(stage(BLOCK)));
    expect(layers).not.toContain('Add');
    expect(layers).not.toContain('LeakyRelu');
  });

  it('begin where an upsampling is cropped', () => {
    const crop = layer('Slice', ['whole', 'from', 'to', 'time'], 'up');
    const upsampling = { ...(BLOCK[0] as Node), output: ['whole'] };
    const graph = inBlockedLayout(stage([upsampling, crop, ...BLOCK.slice(1)]));
    expect(copies(graph)[0]).toBe('up_copied → up');
  });

  it('need no copy before an activation of what nobody else reads', () => {
    const pair = [
      ...BLOCK.slice(0, 3),
      layer('LeakyRelu', ['first'], 'first_active'),
      dilated('first_active', 'second'),
      layer('Add', ['second', 'up'], 'y'),
    ];
    expect(copies(inBlockedLayout(stage(pair)))).toEqual(['up_copied → up', 'up → active_copied']);
  });

  it('are left alone before the first upsampling, and where lengths may differ', () => {
    const shorter = convolution('Conv', ['up', 'third'], { kernel: 3, pad: 0 });
    const nodes = [
      layer('LeakyRelu', ['x'], 'x_active'),
      { ...(BLOCK[0] as Node), input: ['x_active', 'w_up'] },
      shorter,
      layer('LeakyRelu', ['third'], 'third_active'),
      layer('Add', ['third', 'third_active'], 'y'),
    ];
    expect(copies(inBlockedLayout(stage(nodes)))).toEqual(['up_copied → up']);
  });
});
