import type { Node, OnnxGraph } from '../../graph/onnx-graph.ts';

/** Samples that one unit of predicted duration lasts: 25 ms. */
export const SAMPLES_PER_DURATION = 600;

/** A Kokoro graph in two, which together compute exactly what it did. */
export interface KokoroStages {
  /**
   * `input_ids` int64 [1, n], `style` [1, 256] and `speed` [1] → `durations` [1, n] in units of
   * `SAMPLES_PER_DURATION`, and `features` [1, channels, n] for the other stage. A small part of all work.
   */
  readonly timing: OnnxGraph;
  /** `input_ids`, `style`, `durations`, `features` → `samples` [1, count]. */
  readonly speech: OnnxGraph;
}

/**
 * Cuts a Kokoro graph where durations are known, so that it is told how long a text lasts before it is
 * spoken. By structure, as exporters rename tensors: durations are what follows the graph's only Round, and
 * features what is stretched by them along time and, unlike the text's encoding, depends on the style.
 *
 * @throws Error when the graph is not built like that.
 */
export function cutKokoro(graph: OnnxGraph): KokoroStages {
  const durations = durationsOf(graph);
  const features = featuresOf(graph, durations);
  const [waveform = ''] = graph.outputs;
  const ids = { tensor: 'input_ids', name: 'input_ids', type: 'int64' } as const;
  const style = { tensor: 'style', name: 'style', type: 'float' } as const;
  const speed = { tensor: 'speed', name: 'speed', type: 'float' } as const;
  const crossing = [
    { tensor: durations, name: 'durations', type: 'float' },
    { tensor: features, name: 'features', type: 'float' },
  ] as const;
  return {
    timing: graph.extract([ids, style, speed], crossing),
    speech: graph.extract([ids, style, ...crossing], [{ tensor: waveform, name: 'samples' }]),
  };
}

/** Whole numbers, of at least one: what is rounded is clipped next. */
function durationsOf(graph: OnnxGraph): string {
  const rounds = graph.nodes.filter(({ opType }) => opType === 'Round');
  const [round] = rounds;
  if (!round || rounds.length > 1) throw new Error(`It rounds ${rounds.length} tensors, not one.`);
  const clip = graph.consumers(round.output[0] ?? '').find(({ opType }) => opType === 'Clip');
  if (!clip?.output[0]) throw new Error('Its durations have no least value.');
  return clip.output[0];
}

/** Which frame belongs to which symbol is a comparison; whatever is multiplied by that is stretched. */
function featuresOf(graph: OnnxGraph, durations: string): string {
  const timed = graph.downstream([durations]);
  const isAlignment = (tensor: string) =>
    timed.has(tensor) && comesFrom(graph.producer(tensor), 'And', graph);
  const stretched = graph.nodes
    .filter(({ opType, input }) => opType === 'MatMul' && isAlignment(input[1] ?? ''))
    .map(({ input }) => input[0] ?? '');
  const styled = stretched.filter((tensor) => graph.upstream([tensor]).has('style'));
  const [features] = styled;
  if (!features || styled.length > 1) {
    throw new Error(`It stretches ${styled.length} tensors that depend on the style, not one.`);
  }
  return features;
}

/** Whether a node is of that type, or casts the result of one that is. */
function comesFrom(node: Node | undefined, opType: string, graph: OnnxGraph): boolean {
  const source = node?.opType === 'Cast' ? graph.producer(node.input[0] ?? '') : node;
  return source?.opType === opType;
}
