import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Node, OnnxGraph } from '../../../../src/synthesis/graph/onnx-graph.ts';
import { findLandmarks } from '../../../../src/synthesis/graph/piper-landmarks.ts';
import { cutPiperVoice } from '../../../../src/synthesis/graph/piper-stages.ts';
import { smallGraph } from './small-graph.ts';

const voice = (id: string) =>
  OnnxGraph.parse(
    readFileSync(fileURLToPath(new URL(`../../../../models/${id}/${id}.onnx`, import.meta.url))),
  );
const english = voice('en_US-libritts_r-medium');
const portuguese = voice('pt_BR-faber-medium');

describe('the landmarks of a Piper voice', () => {
  it('are where the weights’ names say', () => {
    for (const graph of [english, portuguese]) {
      const { latent } = findLandmarks(graph);
      const first = graph.consumers(latent).find((node) => node.opType === 'Conv');
      expect(first?.input[1]).toBe('dec.conv_pre.weight');
    }
  });

  it('do not depend on any name inside the file', () => {
    const { facts } = cutPiperVoice(anonymous(english));
    expect(facts).toEqual(cutPiperVoice(english).facts);
  });

  it.each([
    ['noise', 'RandomNormalLike'],
    ['rounded', 'Ceil'],
    ['Piper voice', 'ConvTranspose'],
    ['Piper voice', 'MatMul'],
  ])('are missed by name: %s without %s', (message, opType) => {
    const nodes = english.nodes.map((node) =>
      node.opType === opType ? { ...node, opType: 'Identity' } : node,
    );
    expect(() => cutPiperVoice(english.rewrite(nodes, []))).toThrow(message);
  });

  it('are missed in a file that is something else', () => {
    const other = smallGraph({ opType: 'Relu', input: ['x'], output: ['y'] });
    expect(() => cutPiperVoice(other)).toThrow('no input named "input"');
  });
});

describe('the stages of a Piper voice', () => {
  it('know what they must be told', () => {
    const { facts } = cutPiperVoice(english);
    expect(facts).toMatchObject({
      hopLength: 256,
      channels: 192,
      hasDurationNoise: true,
      hasSpeakers: true,
      flow: { lag: 32 },
      decoder: { halo: 11 },
    });
    expect(facts.flow.conditions).toHaveLength(4);
    expect(facts.decoder.conditions).toHaveLength(1);
  });

  it('have no speaker where the voice has none, whatever its weights are called', () => {
    expect(portuguese.constant('sid')).toBeDefined();
    const { facts, text } = cutPiperVoice(portuguese);
    expect(facts).toMatchObject({ hasSpeakers: false });
    expect(text.inputs).toEqual(['input', 'scales', 'duration_noise']);
  });

  it('share no weight, and leave none behind that is needed', () => {
    const { text, flow, decoder } = cutPiperVoice(portuguese);
    const sizes = [text, flow, decoder].map((stage) => stage.serialise().length);
    const whole = portuguese.serialise().length;
    const sum = sizes.reduce((total, size) => total + size, 0);
    expect(sum / whole).toBeGreaterThan(0.97);
    expect(sum / whole).toBeLessThan(1.01);
  });

  it('decode with plain convolutions, sums and activations', () => {
    for (const voice of [english, portuguese]) {
      const types = cutPiperVoice(voice).decoder.nodes.map((node) => node.opType);
      expect(types).not.toContain('ConvTranspose');
      expect(types).not.toContain('Div');
    }
  });

  it('do not expand, mask or draw noise', () => {
    const { text, flow, decoder } = cutPiperVoice(english);
    const types = [text, flow, decoder].flatMap((stage) => stage.nodes.map((node) => node.opType));
    expect(types).not.toContain('RandomNormalLike');
    for (const stage of [text, flow, decoder]) expect(stage.inputs).not.toContain('input_lengths');
    // The masks of the text stage are compared with 0; those of the flow are multiplied.
    const masked = (graph: OnnxGraph) => graph.nodes.filter((node) => node.opType === 'Mul').length;
    expect(masked(text) + masked(flow)).toBeLessThan(masked(english) - 50);
  });
});

/** The same voice with every name inside replaced, as an exporter is free to do. */
function anonymous(graph: OnnxGraph): OnnxGraph {
  const kept = new Set(['', ...graph.inputs, ...graph.outputs]);
  const names = new Map<string, string>();
  const rename = (name: string): string => {
    if (kept.has(name)) return name;
    if (!names.has(name)) names.set(name, `t${names.size}`);
    return names.get(name) as string;
  };
  const nodes: Node[] = graph.nodes.map((node, index) => ({
    ...node,
    name: `n${index}`,
    input: node.input.map(rename),
    output: node.output.map(rename),
  }));
  const stored = graph.nodes
    .flatMap((node) => node.input)
    .filter((name) => name !== '' && !graph.producer(name) && !graph.inputs.includes(name));
  const weights = Array.from(new Set(stored), (name) => ({
    ...graph.constant(name),
    name: rename(name),
  }));
  return graph.rewrite(nodes, weights);
}
