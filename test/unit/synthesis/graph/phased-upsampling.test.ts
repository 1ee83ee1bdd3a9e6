import { describe, expect, it } from 'vitest';
import { wholeNumbers } from '../../../../src/synthesis/graph/onnx-graph.ts';
import { phasedUpsampling } from '../../../../src/synthesis/graph/phased-upsampling.ts';
import {
  convolution,
  difference,
  imageGraph,
  type Kernel,
  runImage,
  unevenWeight,
} from './image-graph.ts';

const INPUTS = 5;
const OUTPUTS = 3;

function upsampling(kernel: Kernel, hasBias: boolean) {
  const { group = 1 } = kernel;
  return imageGraph(
    [convolution('ConvTranspose', ['x', 'y'], kernel, hasBias)],
    [
      unevenWeight('w_y', [INPUTS * group, OUTPUTS, 1, kernel.kernel]),
      unevenWeight('b_y', [OUTPUTS * group]),
    ],
  );
}

describe('upsampling in phases', () => {
  it.each<[Kernel, boolean]>([
    [{ kernel: 16, stride: 8, pad: 4 }, true],
    [{ kernel: 8, stride: 4, pad: 2 }, false],
    [{ kernel: 4, stride: 2, pad: 1 }, true],
    [{ kernel: 12, stride: 4, pad: 4 }, true],
    [{ kernel: 3, stride: 3, pad: 1 }, true],
  ])('computes the same: %j, bias %s', async (kernel, hasBias) => {
    const graph = upsampling(kernel, hasBias);
    const phased = phasedUpsampling(graph);
    expect(phased.nodes.map((node) => node.opType)).not.toContain('ConvTranspose');
    const before = await runImage(graph, INPUTS, 9);
    const after = await runImage(phased, INPUTS, 9);
    expect(after.dims).toEqual(before.dims);
    expect(difference(before.values, after.values)).toBeLessThan(1e-5);
  });

  it('takes the place of a crop of what it makes', async () => {
    const whole = convolution('ConvTranspose', ['x', 'up'], { kernel: 8, stride: 4, pad: 2 });
    const crop = { opType: 'Slice', input: ['up', 'from', 'to', 'time'], output: ['y'] };
    const graph = imageGraph(
      [whole, crop],
      [unevenWeight('w_up', [INPUTS, OUTPUTS, 1, 8]), wholeNumbers('time', [3])],
    ).rewrite(
      [whole, crop],
      [],
      ['from', 'to'].map((name) => ({ name, type: 'int64' })),
    );
    const phased = phasedUpsampling(graph);
    expect(phased.nodes.filter((node) => node.opType === 'Slice')).toHaveLength(1);
    const edges = { from: 3, to: 29 };
    const before = await runImage(graph, INPUTS, 9, edges);
    const after = await runImage(phased, INPUTS, 9, edges);
    expect(after.dims).toEqual([1, OUTPUTS, 1, 26]);
    expect(difference(before.values, after.values)).toBeLessThan(1e-5);
  });

  it.each<[string, Kernel]>([
    ['a kernel that is no multiple of its stride', { kernel: 7, stride: 4, pad: 2 }],
    ['a dilated kernel', { kernel: 8, stride: 4, pad: 2, dilation: 2 }],
    ['an end without pads', { kernel: 8, stride: 4, pad: 0 }],
    ['groups', { kernel: 8, stride: 4, pad: 2, group: 2 }],
  ])('leaves %s as it is', (_, kernel) => {
    const graph = upsampling(kernel, true);
    expect(phasedUpsampling(graph).serialise()).toEqual(graph.serialise());
  });
});
