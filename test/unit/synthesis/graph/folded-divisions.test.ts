import { describe, expect, it } from 'vitest';
import { foldDivisions } from '../../../../src/synthesis/graph/folded-divisions.ts';
import type { Node, OnnxGraph } from '../../../../src/synthesis/graph/onnx-graph.ts';
import { floatWeight } from '../../../../src/synthesis/graph/weights.ts';
import { convolution, difference, imageGraph, runImage, unevenWeight } from './image-graph.ts';

const DIVISION: Node = { opType: 'Div', input: ['x', 'divisor'], output: ['mean'] };
const ACTIVATION: Node = { opType: 'LeakyRelu', input: ['mean'], output: ['active'] };
const CONV = convolution('Conv', ['active', 'y'], { kernel: 3, pad: 1 }, true);

function stage(nodes: readonly Node[], divisor: readonly number[] = [3]): OnnxGraph {
  return imageGraph(nodes, [
    floatWeight('divisor', divisor.length > 1 ? [divisor.length] : [], Float32Array.from(divisor)),
    unevenWeight('w_y', [4, 4, 1, 3]),
    unevenWeight('b_y', [4]),
  ]);
}

const divisions = (graph: OnnxGraph) => graph.nodes.filter((node) => node.opType === 'Div').length;

describe('folding divisions into weights', () => {
  it('computes the same without a division', async () => {
    const graph = stage([DIVISION, ACTIVATION, CONV]);
    const folded = foldDivisions(graph);
    expect(divisions(folded)).toBe(0);
    const before = await runImage(graph, 4, 20);
    const after = await runImage(folded, 4, 20);
    expect(difference(before.values, after.values)).toBeLessThan(1e-5);
  });

  it('leaves what turns signs around or differs along time', () => {
    expect(divisions(foldDivisions(stage([DIVISION, ACTIVATION, CONV], [-3])))).toBe(1);
    expect(divisions(foldDivisions(stage([DIVISION, ACTIVATION, CONV], [1, 2])))).toBe(1);
  });

  it('leaves what others read, and what passes a layer that is not homogeneous', () => {
    const sum: Node = { opType: 'Add', input: ['active', 'mean'], output: ['y'] };
    const unread = convolution('Conv', ['active', 'unread'], { kernel: 3, pad: 1 });
    expect(divisions(foldDivisions(stage([DIVISION, ACTIVATION, unread, sum])))).toBe(1);
    const tanh: Node = { ...ACTIVATION, opType: 'Tanh' };
    expect(divisions(foldDivisions(stage([DIVISION, tanh, CONV])))).toBe(1);
  });

  it('leaves divisions before weights that two layers read', () => {
    const first = { ...CONV, output: ['first'] };
    const second = { ...CONV, input: ['first', 'w_y', 'b_y'] };
    expect(divisions(foldDivisions(stage([DIVISION, ACTIVATION, first, second])))).toBe(1);
  });
});
