import { intsAttribute, type Node } from './onnx-graph.ts';

/** What an attribute of a layer that has one number for each axis says of time, the last of them. */
export function alongTime(node: Node, attribute: string, absent: number): number {
  return intsAttribute(node, attribute).at(-1) ?? absent;
}

/** Pads are listed as all starts, then all ends; time is the last axis of both. */
export function padsInTime(node: Node): { readonly start: number; readonly end: number } {
  const pads = intsAttribute(node, 'pads');
  return { start: pads[pads.length / 2 - 1] ?? 0, end: pads.at(-1) ?? 0 };
}
