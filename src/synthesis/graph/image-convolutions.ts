import {
  intsAttribute,
  type Node,
  type OnnxGraph,
  type Tensor,
  wholeNumbers,
  wholeNumbersAttribute,
} from './onnx-graph.ts';

/** Layers that do the same to a [1, channels, 1, time] tensor as to a [1, channels, time] one. */
const SHAPELESS = new Set(['LeakyRelu', 'Relu', 'Tanh', 'Add', 'Mul', 'Div', 'Identity']);
const CONVOLUTIONS = new Set(['Conv', 'ConvTranspose']);

/**
 * Rewrites one-dimensional convolutions as two-dimensional ones over images one row high. ONNX
 * Runtime has its blocked kernels (NCHWc) for those only; they take a quarter off the time of a
 * HiFi-GAN decoder.
 *
 * @param stage all of whose inputs are float [1, channels, time]; its outputs gain the row.
 * @throws Error when a layer of the stage cannot be rewritten.
 */
export function asImages(stage: OnnxGraph): OnnxGraph {
  const row = wholeNumbers('image_row', [2]);
  const rows: Node[] = stage.inputs.map((input) => ({
    opType: 'Unsqueeze',
    input: [input, 'image_row'],
    output: [`${input}_image`],
  }));
  const inputs = new Set(stage.inputs);
  const weights: Tensor[] = [];
  const nodes = stage.nodes.map((node) => {
    const input = node.input.map((tensor) => (inputs.has(tensor) ? `${tensor}_image` : tensor));
    if (node.opType === 'Constant' || SHAPELESS.has(node.opType ?? '')) return { ...node, input };
    if (!CONVOLUTIONS.has(node.opType ?? '')) {
      throw new Error(`Its decoder has a ${node.opType} layer, which this program does not know.`);
    }
    weights.push(imageWeight(stage, input[1] ?? ''));
    return { ...node, input, attribute: imageAttributes(node) };
  });
  return stage.rewrite([...rows, ...nodes], [row, ...weights]);
}

function imageWeight(stage: OnnxGraph, name: string): Tensor {
  const weight = stage.constant(name);
  const [outer, inner, kernel, ...more] = weight?.dims ?? [];
  if (!weight || kernel === undefined || more.length > 0 || stage.producer(name)) {
    throw new Error('Its decoder has a convolution without a stored, one-dimensional kernel.');
  }
  return { ...weight, dims: [outer ?? 0, inner ?? 0, 1, kernel] };
}

/** The same along the row, and nothing across it. */
function imageAttributes(node: Node): NonNullable<Node['attribute']> {
  const across: Readonly<Record<string, number>> = {
    kernel_shape: 1,
    strides: 1,
    dilations: 1,
    pads: 0,
    output_padding: 0,
  };
  return (node.attribute ?? []).map((attribute) => {
    const name = attribute.name ?? '';
    const still = across[name];
    if (still === undefined) return attribute;
    return wholeNumbersAttribute(
      name,
      intsAttribute(node, name).flatMap((along) => [still, along]),
    );
  });
}
