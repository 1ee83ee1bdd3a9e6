import { toChannelsLast } from './channels-last.ts';
import {
  type Node,
  type OnnxGraph,
  type Tensor,
  wholeNumbers,
  wholeNumbersAttribute,
} from './onnx-graph.ts';
import { type RowConvolution, rowConvolution } from './row-convolution.ts';
import { floatWeight } from './weights.ts';

/** What ONNX Runtime's blocked kernels fill the channels of an output up to. */
const PHASES = 16;

/**
 * Lets a convolution to a single channel make 16 samples at a time, as channels of one moment, which
 * are then put in a row. The runtime would compute 16 channels anyway, of which 15 are zero; with a
 * kernel of 7 this takes a fifth of the multiplications.
 *
 * The convolution's output is filled up to a whole number of 16 samples.
 */
export function phasedOutput(stage: OnnxGraph): OnnxGraph {
  const weights: Tensor[] = [];
  const nodes = stage.nodes.flatMap((node) => {
    const convolution = node.opType === 'Conv' ? rowConvolution(stage, node) : undefined;
    if (!convolution || !hasPhases(convolution)) return [node];
    weights.push(...phasedWeights(node, convolution));
    return phasedNodes(node, convolution);
  });
  return stage.rewrite(nodes, weights);
}

function hasPhases({ outer, kernel, stride, dilation, pads }: RowConvolution): boolean {
  const keepsLength = pads.start + pads.end === kernel - 1;
  return outer === 1 && stride === 1 && dilation === 1 && keepsLength;
}

/** Phase r reads what phase 0 reads, r samples later. */
function phasedWeights(node: Node, { weight, bias, inner, kernel }: RowConvolution): Tensor[] {
  const wide = kernel + PHASES - 1;
  const values = new Float32Array(PHASES * inner * wide);
  for (let phase = 0; phase < PHASES; phase++) {
    for (let channel = 0; channel < inner; channel++) {
      const taps = weight.subarray(channel * kernel, (channel + 1) * kernel);
      values.set(taps, (phase * inner + channel) * wide + phase);
    }
  }
  const [, weightName = '', biasName = ''] = node.input;
  const [output = ''] = node.output;
  const tensors = [
    floatWeight(weightName, [PHASES, inner, 1, wide], values),
    wholeNumbers(`${output}_row`, [1, 1, 1, -1]),
  ];
  if (!bias) return tensors;
  const biases = new Float32Array(PHASES).fill(bias[0] ?? 0);
  return [...tensors, floatWeight(biasName, [PHASES], biases)];
}

/** [1, C, 1, T] → [1, 16, 1, T / 16] → [1, 1, T / 16, 16] → [1, 1, 1, T]. */
function phasedNodes(node: Node, { kernel, pads }: RowConvolution): Node[] {
  const [output = ''] = node.output;
  const phases = `${output}_phases`;
  const inTime = `${output}_in_time`;
  return [
    {
      opType: 'Conv',
      input: node.input,
      output: [phases],
      attribute: [
        wholeNumbersAttribute('kernel_shape', [1, kernel + PHASES - 1]),
        wholeNumbersAttribute('strides', [1, PHASES]),
        wholeNumbersAttribute('pads', [0, pads.start, 0, pads.end + PHASES - 1]),
      ],
    },
    toChannelsLast(phases, inTime),
    { opType: 'Reshape', input: [inTime, `${output}_row`], output: [output] },
  ];
}
