import { type Node, type OnnxGraph, storedWholeNumbers } from './onnx-graph.ts';

const CHANNEL_AXIS = 1;

/**
 * Counts the channels of every tensor of a convolutional stage, all of them [1, channels, time].
 *
 * @throws Error when a layer takes channels in a way that is not stored in the file.
 */
export function layerChannels(
  stage: OnnxGraph,
  input: { readonly name: string; readonly channels: number },
): ReadonlyMap<string, number> {
  const channels = new Map([[input.name, input.channels]]);
  for (const node of stage.nodes) {
    const known = node.input.flatMap((tensor) => channels.get(tensor) ?? []);
    if (known.length === 0) continue;
    const counts = outputChannels(stage, node, known);
    node.output.forEach((tensor, i) => {
      channels.set(tensor, counts[i] ?? counts[0] ?? 0);
    });
  }
  return channels;
}

function outputChannels(stage: OnnxGraph, node: Node, inputs: readonly number[]): number[] {
  const [, second = '', third = '', fourth = '', fifth = ''] = node.input;
  if (node.opType === 'Conv') return [Number(stage.constant(second)?.dims?.[0])];
  if (node.opType === 'Concat') return [inputs.reduce((sum, count) => sum + count, 0)];
  if (node.opType === 'Split') return storedWholeNumbers(stage, second);
  if (node.opType === 'Slice') {
    const [axis = CHANNEL_AXIS] = fourth ? storedWholeNumbers(stage, fourth) : [];
    if (axis !== CHANNEL_AXIS) throw new Error('It has a layer that takes a part of the time.');
    const [from = 0] = storedWholeNumbers(stage, second);
    const [to = 0] = storedWholeNumbers(stage, third);
    const [step = 1] = fifth ? storedWholeNumbers(stage, fifth) : [];
    return [sliceLength(inputs[0] ?? 0, from, to, step)];
  }
  return [Math.max(...inputs)];
}

/** How many of `count` are between `from` and `to`, by the rules of ONNX's Slice. */
function sliceLength(count: number, from: number, to: number, step: number): number {
  const within = (edge: number, low: number, high: number) =>
    Math.min(Math.max(edge < 0 ? edge + count : edge, low), high);
  const [first, last] =
    step > 0
      ? [within(from, 0, count), within(to, 0, count)]
      : [within(from, 0, count - 1), within(to, -1, count - 1)];
  return Math.max(0, Math.ceil((last - first) / step));
}
