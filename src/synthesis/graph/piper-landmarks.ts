import { intsAttribute, type Node, type OnnxGraph } from './onnx-graph.ts';

/** The tensors at which a Piper voice is cut. */
export interface PiperLandmarks {
  /** Noise of the stochastic duration predictor; absent when a voice has a deterministic one. */
  readonly durationNoise: string | undefined;
  /** Noise of the latent. */
  readonly latentNoise: string;
  /** Mean and log deviation of the latent's prior, one column a phoneme. */
  readonly mean: string;
  readonly logDeviation: string;
  /** Frames that each phoneme lasts. */
  readonly durations: string;
  /** mean + noise · deviation, one column a frame: what the flow reads. */
  readonly noisy: string;
  /** What the flow makes of it and the decoder reads. */
  readonly latent: string;
  readonly hopLength: number;
  readonly channels: number;
}

/**
 * Finds where to cut a VITS graph as Piper exports it (`SynthesizerTrn.infer` of piper_train), by
 * structure alone: exporters rename tensors and fuse weights, but keep the arithmetic.
 *
 * @throws Error that says which landmark is missing.
 */
export function findLandmarks(voice: OnnxGraph): PiperLandmarks {
  for (const name of ['input', 'input_lengths', 'scales']) {
    if (!voice.inputs.includes(name)) throw new Error(`It has no input named "${name}".`);
  }
  const { latentNoise, durationNoise } = findNoises(voice);
  const { noisy, deviation } = findNoisySum(voice, latentNoise);
  const expandedMean = otherInput(expect(voice.producer(noisy), 'the flow’s input'), deviation.sum);
  const expandedLog = deviation.logTensor;
  const durations = findDurations(voice, expandedMean);
  const decoder = findDecoderStart(voice, voice.downstream([noisy]));
  const [latent = '', weight = ''] = decoder.input;
  return {
    durationNoise,
    latentNoise,
    mean: beforeExpansion(voice, expandedMean),
    logDeviation: beforeExpansion(voice, expandedLog),
    durations,
    noisy,
    latent,
    hopLength: voice.nodes
      .filter((node) => node.opType === 'ConvTranspose')
      .reduce((product, node) => product * (intsAttribute(node, 'strides')[0] ?? 1), 1),
    channels: Number(expect(voice.constant(weight), 'the decoder’s first weight').dims?.[1]),
  };
}

function findNoises(voice: OnnxGraph): {
  latentNoise: string;
  durationNoise: string | undefined;
} {
  const sources = voice.nodes
    .filter((node) => node.opType === 'RandomNormalLike' || node.opType === 'RandomNormal')
    .map((node) => node.output[0] ?? '');
  // The latent is as long as the durations say, and those depend on the other noise.
  const latentNoise = sources.find((source) => {
    const upstream = voice.upstream([source]);
    return sources.every((other) => upstream.has(other));
  });
  if (latentNoise === undefined || sources.length > 2) {
    throw new Error(`It has ${sources.length} sources of noise where a Piper voice has two.`);
  }
  return {
    latentNoise,
    durationNoise: sources.find((source) => source !== latentNoise),
  };
}

interface Deviation {
  /** noise · exp(log) · scale. */
  readonly sum: string;
  readonly logTensor: string;
}

/** Follows the noise through its factors to the sum with the mean. */
function findNoisySum(voice: OnnxGraph, noise: string): { noisy: string; deviation: Deviation } {
  let tensor = noise;
  let logTensor: string | undefined;
  for (;;) {
    const [consumer, ...others] = voice.consumers(tensor);
    if (consumer === undefined || others.length > 0) break;
    const [output = ''] = consumer.output;
    if (consumer.opType === 'Add' && logTensor !== undefined) {
      return { noisy: output, deviation: { sum: tensor, logTensor } };
    }
    if (consumer.opType !== 'Mul') break;
    const factor = voice.producer(otherInput(consumer, tensor));
    if (factor?.opType === 'Exp') logTensor = factor.input[0];
    tensor = output;
  }
  throw new Error('The noise of its latent is not scaled and added to a mean.');
}

/** Rounded up (`torch.ceil`) on the way to the length of everything that follows. */
function findDurations(voice: OnnxGraph, expanded: string): string {
  const rounded = [...voice.upstream([expanded])].filter(
    (tensor) => voice.producer(tensor)?.opType === 'Ceil',
  );
  if (rounded.length === 1 && rounded[0] !== undefined) return rounded[0];
  throw new Error('Its durations are not rounded up to frames.');
}

/** `matmul(path, x.transpose(1, 2)).transpose(1, 2)` → x. */
function beforeExpansion(voice: OnnxGraph, expanded: string): string {
  const turned = expectType(voice.producer(expanded), 'Transpose', 'the expansion');
  const product = expectType(voice.producer(turned.input[0] ?? ''), 'MatMul', 'the expansion');
  const narrow = expectType(voice.producer(product.input[1] ?? ''), 'Transpose', 'the expansion');
  return narrow.input[0] ?? '';
}

/** The convolution that reads the latent: the first one before the first upsampling. */
function findDecoderStart(voice: OnnxGraph, fromNoisy: ReadonlySet<string>): Node {
  const [upsampling] = voice.nodes.filter((node) => node.opType === 'ConvTranspose');
  let node = expect(upsampling, 'the upsampling');
  do {
    const step = node.input
      .filter((tensor) => fromNoisy.has(tensor))
      .map((tensor) => voice.producer(tensor));
    node = expect(step[0], 'the decoder’s first convolution');
  } while (node.opType !== 'Conv');
  return node;
}

function otherInput(node: Node, tensor: string): string {
  return node.input.find((input) => input !== tensor) ?? '';
}

function expect<T>(found: T | undefined, what: string): T {
  if (found !== undefined) return found;
  throw new Error(`It lacks ${what} of a Piper voice.`);
}

function expectType(node: Node | undefined, opType: string, what: string): Node {
  if (node?.opType === opType) return node;
  throw new Error(`It lacks ${what} of a Piper voice.`);
}
