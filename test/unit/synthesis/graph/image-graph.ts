import onnxProto from 'onnx-proto';
import { InferenceSession, Tensor as RuntimeTensor } from 'onnxruntime-node';
import { wholes } from '../../../../src/synthesis/engine/tensors.ts';
import {
  type Node,
  OnnxGraph,
  type Tensor,
  wholeNumberAttribute,
  wholeNumbersAttribute,
} from '../../../../src/synthesis/graph/onnx-graph.ts';
import { floatWeight } from '../../../../src/synthesis/graph/weights.ts';

/** A graph that makes `y` of `x`, images one row high. */
export function imageGraph(nodes: readonly Node[], weights: readonly Tensor[]): OnnxGraph {
  const row = (name: string) => ({ name, type: { tensorType: { elemType: 1 } } });
  const model = {
    irVersion: 8,
    opsetImport: [{ domain: '', version: 15 }],
    graph: {
      ...{ name: 'image', node: [...nodes], initializer: [...weights] },
      ...{ input: [row('x')], output: [row('y')] },
    },
  };
  return OnnxGraph.parse(onnxProto.onnx.ModelProto.encode(model).finish());
}

export interface Kernel {
  readonly kernel: number;
  readonly pad: number;
  readonly stride?: number;
  readonly dilation?: number;
  readonly group?: number;
}

/** A Conv or ConvTranspose that reads the weights `w_<output>`, and `b_<output>` if it has a bias. */
export function convolution(
  opType: 'Conv' | 'ConvTranspose',
  [input, output]: readonly [string, string],
  { kernel, pad, stride = 1, dilation = 1, group = 1 }: Kernel,
  hasBias = false,
): Node {
  return {
    opType,
    input: [input, `w_${output}`, ...(hasBias ? [`b_${output}`] : [])],
    output: [output],
    attribute: [
      wholeNumbersAttribute('kernel_shape', [1, kernel]),
      wholeNumbersAttribute('strides', [1, stride]),
      wholeNumbersAttribute('dilations', [1, dilation]),
      wholeNumbersAttribute('pads', [0, pad, 0, pad]),
      wholeNumberAttribute('group', group),
    ],
  };
}

/** Values that repeat themselves nowhere, from −1 to 1. */
export function unevenWeight(name: string, dims: readonly number[]): Tensor {
  return floatWeight(name, dims, unevenValues(dims.reduce((size, dim) => size * dim, 1)));
}

/**
 * What a graph makes of an uneven image of so many channels and samples.
 * @param numbers its other inputs, int64 [1].
 */
export async function runImage(
  graph: OnnxGraph,
  channels: number,
  length: number,
  numbers: Readonly<Record<string, number>> = {},
): Promise<{ readonly dims: readonly number[]; readonly values: Float32Array }> {
  return runRow(graph, channels, unevenValues(channels * length), numbers);
}

/** The same for given values of the image, one channel after the other. */
export async function runRow(
  graph: OnnxGraph,
  channels: number,
  values: Float32Array,
  numbers: Readonly<Record<string, number>> = {},
): Promise<{ readonly dims: readonly number[]; readonly values: Float32Array }> {
  const session = await InferenceSession.create(graph.serialise(), { logSeverityLevel: 4 });
  const x = new RuntimeTensor('float32', values, [1, channels, 1, values.length / channels]);
  const others = Object.entries(numbers).map(([name, number]) => [name, wholes([1], [number])]);
  const { y } = await session.run({ x, ...Object.fromEntries(others) });
  await session.release();
  return { dims: y?.dims ?? [], values: y?.data as Float32Array };
}

/** The largest difference of two runs, which is what rounding leaves when both compute the same. */
export function difference(one: Float32Array, other: Float32Array): number {
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? NaN))), 0);
}

export function unevenValues(length: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, (_, i) => Math.sin(1 + i * i * 0.37));
}
