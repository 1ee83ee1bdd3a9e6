import type { Node, OnnxGraph } from './onnx-graph.ts';
import { alongTime, padsInTime } from './time-attributes.ts';

/** How a tensor of a convolutional stage lies in time. */
export interface TimeSpan {
  /** Samples of this tensor that cover one frame of the stage's input. */
  readonly samplesPerFrame: number;
  /** Samples needed beyond each end of a stretch so that the stage's output is exact within it. */
  readonly halo: number;
}

/** Each element of their result depends on one moment of their inputs only. */
const POINTWISE = new Set([
  ...['Add', 'Sub', 'Mul', 'Div', 'Neg', 'Exp', 'Pow', 'Erf'],
  ...['LeakyRelu', 'Relu', 'Tanh', 'Sigmoid', 'Identity', 'Cast'],
  ...['Shape', 'ConstantOfShape', 'Split', 'Concat', 'Slice', 'Unsqueeze'],
]);

/**
 * Measures how far every tensor of a stage must reach beyond a stretch of time for the output to be
 * exact in that stretch, from kernel sizes, dilations and strides alone.
 *
 * @returns the time span of each tensor on the way from `input` to `output`.
 * @throws Error when the stage has a layer whose reach is unlimited or unknown.
 */
export function receptiveField(
  stage: OnnxGraph,
  input: string,
  output: string,
): ReadonlyMap<string, TimeSpan> {
  const moving = stage.downstream([input]);
  const layers = stage.nodes.filter((node) => node.output.some((tensor) => moving.has(tensor)));
  const rates = new Map([[input, 1]]);
  for (const node of layers) {
    const rate = Math.max(...node.input.map((tensor) => rates.get(tensor) ?? 0));
    for (const tensor of node.output) rates.set(tensor, rate * upsampling(node));
  }
  const halos = new Map([[output, 0]]);
  for (const node of layers.toReversed()) {
    const halo = haloOfInput(
      node,
      Math.max(...node.output.map((tensor) => halos.get(tensor) ?? 0)),
    );
    for (const tensor of node.input) {
      if (moving.has(tensor)) halos.set(tensor, Math.max(halo, halos.get(tensor) ?? 0));
    }
  }
  return new Map(
    Array.from(halos, ([tensor, halo]) => [
      tensor,
      { halo, samplesPerFrame: rates.get(tensor) ?? 1 },
    ]),
  );
}

function upsampling(node: Node): number {
  return node.opType === 'ConvTranspose' ? alongTime(node, 'strides', 1) : 1;
}

/** What a layer's input needs beyond each end, for its output to be right `halo` samples beyond it. */
export function haloOfInput(node: Node, halo: number): number {
  const reach = alongTime(node, 'dilations', 1) * (alongTime(node, 'kernel_shape', 1) - 1);
  const stride = alongTime(node, 'strides', 1);
  const { start: left, end: right } = padsInTime(node);
  if (node.opType === 'Conv' && stride === 1 && left === right && 2 * left === reach) {
    return halo + left;
  }
  if (node.opType === 'ConvTranspose' && left === right && 2 * left === reach + 1 - stride) {
    // Sample y reads the input samples i with i·stride − left ≤ y ≤ i·stride − left + reach.
    return Math.floor((halo + reach - left) / stride);
  }
  if (POINTWISE.has(node.opType ?? '')) return halo;
  throw new Error(`It has a ${node.opType} layer that cannot be computed in windows.`);
}
