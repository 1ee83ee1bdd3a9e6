import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cutKokoro } from '../../../../../src/synthesis/engine/kokoro/kokoro-stages.ts';
import { OnnxGraph } from '../../../../../src/synthesis/graph/onnx-graph.ts';

const file = new URL('../../../../../models/kokoro-82m/graph.onnx', import.meta.url);
const graph = OnnxGraph.parse(readFileSync(file));

describe('the cut of Kokoro', () => {
  const { timing, speech } = cutKokoro(graph);

  it('gives two stages that take over from each other', () => {
    expect(timing.inputs).toEqual(['input_ids', 'style', 'speed']);
    expect(timing.outputs).toEqual(['durations', 'features']);
    expect(speech.inputs.toSorted()).toEqual(['durations', 'features', 'input_ids', 'style']);
    expect(speech.outputs).toEqual(['samples']);
  });

  it('computes nothing twice but what is next to nothing', () => {
    const nodes = timing.nodes.length + speech.nodes.length;
    expect(nodes).toBeLessThan(1.05 * graph.nodes.length);
  });

  it('says what is missing in another graph', () => {
    expect(() => cutKokoro(timing)).toThrow(/stretches 0 tensors/);
    expect(() => cutKokoro(speech)).toThrow(/rounds 0 tensors/);
  });
});
