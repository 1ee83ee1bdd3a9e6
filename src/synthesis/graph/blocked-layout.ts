import {
  type Node,
  type OnnxGraph,
  type RowShape,
  type Tensor,
  wholeNumberAttribute,
} from './onnx-graph.ts';
import { croppedBy } from './phased-upsampling.ts';
import { rowConvolution } from './row-convolution.ts';
import { floatWeight } from './weights.ts';

type Row = Pick<RowShape, 'channels' | 'length'>;

/**
 * Keeps the tensors of residual blocks in the layout of ONNX Runtime's blocked kernels (NCHWc) from
 * one convolution to the next. By itself the runtime leaves that layout before each activation that
 * it cannot fuse into a convolution, and before each sum of tensors that it does not know to be
 * equally long; sums that it does know it computes within a convolution. So it is told the lengths,
 * and convolutions that only copy are put where a row begins, and before activations of what others
 * read as well.
 */
export function inBlockedLayout(stage: OnnxGraph): OnnxGraph {
  const rows = new Map<string, Row>();
  const ones = new Map<number, Tensor>();
  const copy = (input: string, output: string, { channels }: Row): Node => {
    const values = new Float32Array(channels).fill(1);
    const weight = `copy_${channels}`;
    ones.set(channels, floatWeight(weight, [channels, 1, 1, 1], values));
    const attribute = [wholeNumberAttribute('group', channels)];
    return { opType: 'Conv', input: [input, weight], output: [output], attribute };
  };
  const nodes = stage.nodes.flatMap((node) => {
    const [input = ''] = node.input;
    const [output = ''] = node.output;
    const row = rowOf(stage, node, rows);
    if (!row) return [node];
    rows.set(output, row);
    const inside = `${output}_copied`;
    if (isBeginOfRow(stage, node)) {
      rows.set(inside, row);
      return [{ ...node, output: [inside] }, copy(inside, output, row)];
    }
    if (node.opType === 'LeakyRelu' && !isFusedAnyway(stage, input)) {
      rows.set(inside, row);
      return [copy(input, inside, row), { ...node, input: [inside] }];
    }
    return [node];
  });
  const shapes = Array.from(rows, ([tensor, row]) => ({ tensor, ...row }));
  return stage.rewrite(nodes, [...ones.values()]).withShapes(shapes);
}

/** The row that a node makes; nothing before the first upsampling, and where lengths are unknown. */
function rowOf(stage: OnnxGraph, node: Node, rows: ReadonlyMap<string, Row>): Row | undefined {
  const [first = '', second = ''] = node.input;
  const row = rows.get(first);
  switch (node.opType ?? '') {
    case 'ConvTranspose': {
      const channels = rowConvolution(stage, node)?.inner;
      return channels === undefined ? undefined : { channels, length: `row_${rows.size}` };
    }
    case 'Slice':
      return row && isBeginOfRow(stage, node) ? { ...row, length: `row_${rows.size}` } : undefined;
    case 'Conv':
      return row && rowOfConvolution(stage, node, row);
    case 'LeakyRelu':
      return row;
    case 'Add': {
      const other = rows.get(second);
      return row?.length === other?.length && row?.channels === other?.channels ? row : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a node is an upsampling, or crops one that nobody else reads. */
function isBeginOfRow(stage: OnnxGraph, node: Node): boolean {
  if (node.opType === 'ConvTranspose') return !croppedBy(stage, node);
  const producer = stage.producer(node.input[0] ?? '');
  return producer?.opType === 'ConvTranspose' && croppedBy(stage, producer) === node;
}

function rowOfConvolution(stage: OnnxGraph, node: Node, { length }: Row): Row | undefined {
  const convolution = rowConvolution(stage, node);
  if (!convolution) return undefined;
  const { outer, kernel, stride, dilation, pads } = convolution;
  const keepsLength = stride === 1 && pads.start + pads.end === dilation * (kernel - 1);
  return keepsLength ? { channels: outer, length } : undefined;
}

function isFusedAnyway(stage: OnnxGraph, tensor: string): boolean {
  return stage.producer(tensor)?.opType === 'Conv' && stage.consumers(tensor).length === 1;
}
