import { attribute, intsAttribute, type Node, type OnnxGraph } from './onnx-graph.ts';
import { alongTime, padsInTime } from './time-attributes.ts';
import { dims, floatValues } from './weights.ts';

/** A convolution along the only row of an image, with weights that no other layer reads. */
export interface RowConvolution {
  /** As stored: [out, in, 1, kernel] of a Conv, [in, out, 1, kernel] of a ConvTranspose. */
  readonly weight: Float32Array<ArrayBuffer>;
  readonly outer: number;
  readonly inner: number;
  readonly kernel: number;
  readonly bias: Float32Array | undefined;
  readonly stride: number;
  readonly dilation: number;
  /** Samples that it adds (Conv) or drops (ConvTranspose) before and after the row. */
  readonly pads: { readonly start: number; readonly end: number };
}

/** @returns nothing for grouped convolutions, and for those whose weights cannot be rewritten. */
export function rowConvolution(stage: OnnxGraph, node: Node): RowConvolution | undefined {
  const [, weightName = '', biasName = ''] = node.input;
  const weight = ownFloats(stage, weightName);
  const bias = ownFloats(stage, biasName);
  const [outer = 0, inner = 0, height, kernel = 0] = dims(stage.constant(weightName));
  const isGrouped = Number(attribute(node, 'group')?.i ?? 1) !== 1;
  const isUneven = intsAttribute(node, 'output_padding').some((padding) => padding !== 0);
  if (!weight || height !== 1 || isGrouped || isUneven || (biasName !== '' && !bias)) {
    return undefined;
  }
  return {
    ...{ weight, outer, inner, kernel, bias },
    stride: alongTime(node, 'strides', 1),
    dilation: alongTime(node, 'dilations', 1),
    pads: padsInTime(node),
  };
}

function ownFloats(stage: OnnxGraph, name: string): Float32Array<ArrayBuffer> | undefined {
  const isShared = stage.consumers(name).length > 1;
  return isShared || stage.producer(name) ? undefined : floatValues(stage.constant(name));
}
