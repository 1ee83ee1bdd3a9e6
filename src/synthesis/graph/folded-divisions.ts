import type { Node, OnnxGraph, Tensor } from './onnx-graph.ts';
import { rowConvolution } from './row-convolution.ts';
import { dims, floatValues, floatWeight } from './weights.ts';

/** Layers that scale their output as their input is scaled, as long as no sign changes. */
const HOMOGENEOUS = new Set(['LeakyRelu', 'Relu', 'Slice']);
const CONVOLUTIONS = new Set(['Conv', 'ConvTranspose']);

/**
 * Moves divisions by a positive number into the weights of the convolution behind them. HiFi-GAN
 * takes the mean of its residual blocks so, and each division is a pass over a whole tensor.
 */
export function foldDivisions(stage: OnnxGraph): OnnxGraph {
  const weights: Tensor[] = [];
  const dividends = new Map<string, string>();
  for (const node of stage.nodes) {
    if (node.opType !== 'Div') continue;
    const [dividend = '', divisor = ''] = node.input;
    const [quotient = ''] = node.output;
    const [value = 0, ...more] = floatValues(stage.constant(divisor)) ?? [];
    if (value <= 0 || more.length > 0) continue;
    const convolution = convolutionBehind(stage, quotient);
    const scaled = convolution && scaledWeight(stage, convolution, 1 / value);
    if (!scaled) continue;
    weights.push(scaled);
    dividends.set(quotient, dividend);
  }
  const nodes = stage.nodes
    .filter((node) => !dividends.has(node.output[0] ?? ''))
    .map((node) => ({
      ...node,
      input: node.input.map((tensor) => dividends.get(tensor) ?? tensor),
    }));
  return stage.rewrite(nodes, weights);
}

/** The convolution that alone reads a tensor, directly or through homogeneous layers. */
function convolutionBehind(stage: OnnxGraph, tensor: string): Node | undefined {
  const [reader, ...more] = stage.consumers(tensor);
  if (!reader || more.length > 0 || reader.input[0] !== tensor) return undefined;
  if (CONVOLUTIONS.has(reader.opType ?? '')) return reader;
  if (!HOMOGENEOUS.has(reader.opType ?? '')) return undefined;
  return convolutionBehind(stage, reader.output[0] ?? '');
}

function scaledWeight(stage: OnnxGraph, node: Node, factor: number): Tensor | undefined {
  const [, name = ''] = node.input;
  const values = rowConvolution(stage, node)?.weight.map((value) => value * factor);
  return values && floatWeight(name, dims(stage.constant(name)), values);
}
