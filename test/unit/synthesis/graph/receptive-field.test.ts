import { describe, expect, it } from 'vitest';
import type { Node } from '../../../../src/synthesis/graph/onnx-graph.ts';
import { receptiveField } from '../../../../src/synthesis/graph/receptive-field.ts';
import { smallGraph } from './small-graph.ts';

const INTS = 7;

function layer(
  opType: string,
  input: string,
  output: string,
  attributes: Readonly<Record<string, number[]>> = {},
): Node {
  const attribute = Object.entries(attributes).map(([name, ints]) => ({ name, ints, type: INTS }));
  return { opType, input: [input], output: [output], attribute };
}

const conv = (input: string, output: string, kernel: number, dilation = 1, stride = 1) => {
  const pad = (dilation * (kernel - 1)) / 2;
  return layer('Conv', input, output, {
    kernel_shape: [kernel],
    dilations: [dilation],
    strides: [stride],
    pads: [pad, pad],
  });
};

const upsample = (input: string, output: string) =>
  layer('ConvTranspose', input, output, { kernel_shape: [16], strides: [8], pads: [4, 4] });

describe('the receptive field', () => {
  it('grows by half of each kernel', () => {
    const spans = receptiveField(smallGraph(conv('x', 'a', 5), conv('a', 'y', 3, 4)), 'x', 'y');
    expect(spans.get('x')?.halo).toBe(2 + 4);
    expect(spans.get('a')?.halo).toBe(4);
  });

  it('is that of the longest way', () => {
    const nodes = [conv('x', 'near', 3), conv('x', 'far', 11)];
    const sum: Node = { opType: 'Add', input: ['near', 'far'], output: ['y'] };
    expect(receptiveField(smallGraph(...nodes, sum), 'x', 'y').get('x')?.halo).toBe(5);
  });

  it('shrinks at an upsampling, which also counts samples', () => {
    const spans = receptiveField(smallGraph(upsample('x', 'up'), conv('up', 'y', 7, 12)), 'x', 'y');
    expect(spans.get('up')).toEqual({ halo: 36, samplesPerFrame: 8 });
    // Sample −36 reads the input from ⌈(−36 + 4 − 15) / 8⌉ = −5 on.
    expect(spans.get('x')).toEqual({ halo: 5, samplesPerFrame: 1 });
  });

  it('refuses layers that look at all of time, or skip some', () => {
    expect(() => receptiveField(smallGraph(layer('Softmax', 'x', 'y')), 'x', 'y')).toThrow(
      'Softmax',
    );
    expect(() => receptiveField(smallGraph(conv('x', 'y', 3, 1, 2)), 'x', 'y')).toThrow('Conv');
  });
});
