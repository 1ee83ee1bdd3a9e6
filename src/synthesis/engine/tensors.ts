import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Encoding } from './encoding.ts';

/** Tensors by the name of the input that they are for. */
export type Feeds = Record<string, Tensor>;

export function floats(dims: readonly number[], values: Float32Array): Tensor {
  return new Tensor('float32', values, dims);
}

export function wholes(dims: readonly number[], values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
}

/** What a run computed under a name. */
export function tensorData(result: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  return result[name]?.data as Float32Array;
}

export function conditionFeeds({ conditions }: Encoding, names: readonly string[]): Feeds {
  return Object.fromEntries(
    names.map((name) => {
      // Copied, because the runtime does not take shared memory.
      const values = conditions[name]?.slice() ?? new Float32Array();
      return [name, floats([1, values.length, 1], values)];
    }),
  );
}
