import type { Node, OnnxGraph } from './onnx-graph.ts';
import { floatValues } from './weights.ts';

const KEEPS_VALUE = new Set(['Unsqueeze', 'Squeeze', 'Cast', 'Identity', 'Transpose', 'Reshape']);

/**
 * Voices are trained in padded batches and mask every layer; exporters keep sums that start from zeros,
 * and scales that were fixed at 1. One utterance at a time has no padding, so each mask is all ones, and
 * multiplying by it, like adding nothing, is wasted work.
 *
 * @param known tensors all of whose elements have one value, with that value.
 * @returns for `OnnxGraph.extract`: each tensor that equals another once those are known.
 */
export function foldUniform(
  graph: OnnxGraph,
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const uniform = new Map(known);
  const aliases = new Map<string, string>();
  // ONNX requires nodes in topological order, so one pass sees every input before its use.
  for (const node of graph.nodes) {
    const [output = ''] = node.output;
    const value = uniformValue(node, uniform, graph);
    if (value !== undefined) uniform.set(output, value);
    const same = value === undefined ? unchangedInput(node, uniform) : undefined;
    if (same !== undefined) aliases.set(output, same);
  }
  return aliases;
}

/** The one value that every element of the node's output has, when that is known. */
function uniformValue(
  node: Node,
  uniform: ReadonlyMap<string, number>,
  graph: OnnxGraph,
): number | undefined {
  const [first = '', second = ''] = node.input;
  const left = uniform.get(first);
  if (left === undefined) return undefined;
  if (KEEPS_VALUE.has(node.opType ?? '')) return left;
  if (node.opType === 'Neg') return -left;
  if (node.opType === 'Exp') return Math.exp(left);
  if (node.opType === 'Mul') {
    const right = uniform.get(second);
    return right === undefined ? undefined : left * right;
  }
  if (node.opType === 'Equal') {
    const right = scalarFloat(graph, second);
    return right === undefined ? undefined : Number(left === right);
  }
  return undefined;
}

/** What leaves the other operand as it is. */
const NEUTRAL: ReadonlyMap<string, number> = new Map([
  ['Mul', 1],
  ['Add', 0],
]);

/** The input that passes through the node as it is, when there is one. */
function unchangedInput(node: Node, uniform: ReadonlyMap<string, number>): string | undefined {
  const [first = '', second = '', third = ''] = node.input;
  const neutral = NEUTRAL.get(node.opType ?? '');
  if (neutral !== undefined) {
    if (uniform.get(second) === neutral) return first;
    if (uniform.get(first) === neutral) return second;
  }
  if (node.opType === 'Where') {
    const condition = uniform.get(first);
    if (condition !== undefined) return condition === 0 ? third : second;
  }
  return undefined;
}

function scalarFloat(graph: OnnxGraph, tensor: string): number | undefined {
  const [value, ...more] = floatValues(graph.constant(tensor)) ?? [];
  return more.length === 0 ? value : undefined;
}
