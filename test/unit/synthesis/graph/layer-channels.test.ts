import { describe, expect, it } from 'vitest';
import { layerChannels } from '../../../../src/synthesis/graph/layer-channels.ts';
import { type Node, wholeNumbers } from '../../../../src/synthesis/graph/onnx-graph.ts';
import { smallGraph } from './small-graph.ts';

const input = { name: 'x', channels: 6 };

function sliced(from: number, to: number, axis: number, step: number): number | undefined {
  const slice: Node = {
    opType: 'Slice',
    input: ['x', 'from', 'to', 'axis', 'step'],
    output: ['y'],
  };
  const edges = { from, to, axis, step };
  const weights = Object.entries(edges).map(([name, value]) => wholeNumbers(name, [value]));
  return layerChannels(smallGraph(slice).rewrite([slice], weights), input).get('y');
}

describe('the channels of a stage', () => {
  it.each([
    ['a part', 1, 4, 1, 3],
    ['all, by an end beyond', 0, 2 ** 31 - 1, 1, 6],
    ['all but the last two', 0, -2, 1, 4],
    ['every second one', 0, 6, 2, 3],
    ['all, turned around', -1, -(2 ** 31), -1, 6],
    ['none', 4, 2, 1, 0],
  ])('are counted when a layer takes %s', (_, from, to, step, count) => {
    expect(sliced(from, to, 1, step)).toBe(count);
  });

  it('pass through layers that look at one channel at a time', () => {
    const tanh: Node = { opType: 'Tanh', input: ['x'], output: ['y'] };
    expect(layerChannels(smallGraph(tanh), input).get('y')).toBe(6);
  });

  it('are not known of a layer that takes a part of the time', () => {
    expect(() => sliced(0, 2, 2, 1)).toThrow('a part of the time');
  });

  it('are not known where the file does not say where a layer cuts', () => {
    const slice: Node = { opType: 'Slice', input: ['x', 'from', 'to'], output: ['y'] };
    expect(() => layerChannels(smallGraph(slice), input)).toThrow('from is not stored');
  });
});
