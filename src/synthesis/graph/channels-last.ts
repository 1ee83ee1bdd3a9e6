import { type Node, wholeNumbersAttribute } from './onnx-graph.ts';

/**
 * [1, channels, 1, time] → [1, 1, time, channels]. The runtime makes one of this and of leaving its
 * blocked layout, and of the way back and coming to it.
 */
export function toChannelsLast(input: string, output: string): Node {
  return transpose(input, output, [0, 2, 3, 1]);
}

/** [1, 1, time, channels] → [1, channels, 1, time]. */
export function fromChannelsLast(input: string, output: string): Node {
  return transpose(input, output, [0, 3, 1, 2]);
}

function transpose(input: string, output: string, axes: readonly number[]): Node {
  return {
    opType: 'Transpose',
    input: [input],
    output: [output],
    attribute: [wholeNumbersAttribute('perm', axes)],
  };
}
