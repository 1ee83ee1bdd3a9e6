import { fromChannelsLast, toChannelsLast } from './channels-last.ts';
import {
  type Node,
  type OnnxGraph,
  type Tensor,
  wholeNumbers,
  wholeNumbersAttribute,
} from './onnx-graph.ts';
import { type RowConvolution, rowConvolution } from './row-convolution.ts';
import { floatWeight } from './weights.ts';

/**
 * Rewrites transposed convolutions as plain ones that make all samples between two of their input as
 * channels of one moment, which are then put in a row. ONNX Runtime has its blocked kernels for plain
 * convolutions only, and spends a good part of a transposed one on adding up what overlaps.
 */
export function phasedUpsampling(stage: OnnxGraph): OnnxGraph {
  const weights: Tensor[] = [];
  const merged = new Set<Node>();
  const nodes = stage.nodes.flatMap((node) => {
    if (merged.has(node)) return [];
    const convolution = node.opType === 'ConvTranspose' ? rowConvolution(stage, node) : undefined;
    if (!convolution || !hasPhases(convolution)) return [node];
    weights.push(...phasedWeights(node, convolution));
    const crop = croppedBy(stage, node);
    if (!crop) return phasedNodes(node, convolution);
    merged.add(crop);
    return phasedNodes(node, convolution, crop);
  });
  return stage.rewrite(nodes, weights);
}

/** The crop that alone reads what an upsampling makes, where there is one. */
export function croppedBy(stage: OnnxGraph, upsampling: Node): Node | undefined {
  const [reader, ...more] = stage.consumers(upsampling.output[0] ?? '');
  return reader?.opType === 'Slice' && more.length === 0 ? reader : undefined;
}

function hasPhases({ kernel, stride, dilation, pads }: RowConvolution): boolean {
  return kernel % stride === 0 && dilation === 1 && pads.start > 0 && pads.end > 0;
}

/**
 * Before its pads are dropped, sample q · stride + r of a transposed convolution is the sum over i of
 * its input at q − i, weighted by tap r + i · stride. So phase r is a plain convolution with those
 * taps, the last one first.
 */
function phasedWeights(node: Node, convolution: RowConvolution): Tensor[] {
  const { weight, bias, outer: inputs, inner: outputs, kernel, stride, pads } = convolution;
  const taps = kernel / stride;
  const values = new Float32Array(weight.length);
  for (let at = 0; at < values.length; at++) {
    const tap = taps - 1 - (at % taps);
    const input = Math.floor(at / taps) % inputs;
    const output = Math.floor(at / taps / inputs) % outputs;
    const phase = Math.floor(at / taps / inputs / outputs);
    values[at] = weight[(input * outputs + output) * kernel + phase + tap * stride] ?? 0;
  }
  const [, weightName = '', biasName = ''] = node.input;
  const [output = ''] = node.output;
  const tensors = [
    floatWeight(weightName, [stride * outputs, inputs, 1, taps], values),
    wholeNumbers(`${output}_shape`, [1, 1, -1, outputs]),
    wholeNumbers(`${output}_start`, [pads.start]),
    wholeNumbers(`${output}_end`, [-pads.end]),
    wholeNumbers(`${output}_axis`, [2]),
  ];
  if (!bias) return tensors;
  const biases = Float32Array.from({ length: stride * outputs }, (_, i) => bias[i % outputs] ?? 0);
  return [...tensors, floatWeight(biasName, [biases.length], biases)];
}

/**
 * [1, C, 1, T] → [1, stride · C', 1, T + taps − 1] → [1, 1, T + taps − 1, stride · C'] →
 * [1, 1, T', C'] → without pads, or cropped → [1, C', 1, T · stride].
 */
function phasedNodes(node: Node, { kernel, stride }: RowConvolution, crop?: Node): Node[] {
  const [output = ''] = node.output;
  const name = (step: string) => `${output}_${step}`;
  const outside = kernel / stride - 1;
  const [, ...edges] = crop?.input ?? [];
  const [start, end] = crop ? [name('crop_start'), name('crop_end')] : [name('start'), name('end')];
  return [
    {
      opType: 'Conv',
      input: node.input,
      output: [name('phases')],
      attribute: [
        wholeNumbersAttribute('kernel_shape', [1, outside + 1]),
        wholeNumbersAttribute('pads', [0, outside, 0, outside]),
      ],
    },
    toChannelsLast(name('phases'), name('in_time')),
    { opType: 'Reshape', input: [name('in_time'), name('shape')], output: [name('whole')] },
    // A crop counts from the end of the pads.
    ...(crop ? [start, end] : []).map((edge, i) => ({
      opType: 'Add',
      input: [edges[i] ?? '', name('start')],
      output: [edge],
    })),
    {
      opType: 'Slice',
      input: [name('whole'), start, end, name('axis')],
      output: [name('kept')],
    },
    fromChannelsLast(name('kept'), crop?.output[0] ?? output),
  ];
}
