import { describe, expect, it } from 'vitest';
import { phasedOutput } from '../../../../src/synthesis/graph/phased-output.ts';
import {
  convolution,
  difference,
  imageGraph,
  type Kernel,
  runImage,
  unevenWeight,
} from './image-graph.ts';

function toOneChannel(kernel: Kernel, hasBias = false) {
  return imageGraph(
    [convolution('Conv', ['x', 'y'], kernel, hasBias)],
    [unevenWeight('w_y', [1, 8, 1, kernel.kernel]), unevenWeight('b_y', [1])],
  );
}

describe('an output computed in phases', () => {
  it.each([
    [16, false],
    [40, false],
    [45, true],
  ])('is the same, filled up: %i samples, bias %s', async (length, hasBias) => {
    const graph = toOneChannel({ kernel: 7, pad: 3 }, hasBias);
    const before = await runImage(graph, 8, length);
    const after = await runImage(phasedOutput(graph), 8, length);
    expect(after.dims).toEqual([1, 1, 1, Math.ceil(length / 16) * 16]);
    expect(difference(before.values, after.values.subarray(0, length))).toBeLessThan(1e-5);
  });

  it.each([
    ['dilated ones', { kernel: 7, pad: 6, dilation: 2 }],
    ['those with steps', { kernel: 8, pad: 3, stride: 2 }],
    ['those that change the length', { kernel: 7, pad: 1 }],
  ])('leaves %s as they are', (_, kernel) => {
    const graph = toOneChannel(kernel);
    expect(phasedOutput(graph).serialise()).toEqual(graph.serialise());
  });
});
