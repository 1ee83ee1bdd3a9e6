import { ELEMENT_TYPES, type Tensor } from './onnx-graph.ts';

export function floatWeight(
  name: string,
  dims: readonly number[],
  values: Float32Array<ArrayBuffer>,
): Tensor {
  const rawData = new Uint8Array(values.buffer);
  return { name, dataType: ELEMENT_TYPES.float, dims: [...dims], rawData };
}

/** The stored values of a tensor; nothing when there are none, or they are no floats. */
export function floatValues(tensor: Tensor | undefined): Float32Array<ArrayBuffer> | undefined {
  if (tensor?.dataType !== ELEMENT_TYPES.float) return undefined;
  if (!tensor.rawData?.length) return Float32Array.from(tensor.floatData ?? []);
  // Copied, because it may lie anywhere in the file.
  return new Float32Array(new Uint8Array(tensor.rawData).buffer);
}

export function dims(tensor: Tensor | undefined): number[] {
  return (tensor?.dims ?? []).map(Number);
}
