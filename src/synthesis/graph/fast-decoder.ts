import { inBlockedLayout } from './blocked-layout.ts';
import { foldDivisions } from './folded-divisions.ts';
import type { OnnxGraph } from './onnx-graph.ts';
import { phasedOutput } from './phased-output.ts';
import { phasedUpsampling } from './phased-upsampling.ts';

/**
 * Rewrites a decoder of images one row high so that it computes the same in less time: nearly all of
 * it in the blocked kernels of ONNX Runtime, with few passes over a tensor between two of them.
 * Layers of another kind than those of a Piper decoder stay as they are.
 *
 * Its output is filled up to a whole number of 16 samples.
 */
export function fastDecoder(decoder: OnnxGraph): OnnxGraph {
  return phasedUpsampling(inBlockedLayout(phasedOutput(foldDivisions(decoder))));
}
