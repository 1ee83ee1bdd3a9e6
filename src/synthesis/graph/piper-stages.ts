import { fastDecoder } from './fast-decoder.ts';
import { asImages } from './image-convolutions.ts';
import { attribute, type GraphInput, type OnnxGraph } from './onnx-graph.ts';
import { findLandmarks, type PiperLandmarks } from './piper-landmarks.ts';
import type { TimeSpan } from './receptive-field.ts';
import { type StreamFacts, streamStage } from './streamed-stage.ts';
import { foldUniform } from './uniform-tensors.ts';
import { floatValues } from './weights.ts';
import { windowStage } from './windowed-stage.ts';

/** Changes whenever the cut does, so that files cut by an older program are cut again. */
export const CUT_VERSION = 2;

/** What the program must know about a cut voice that its files do not say by themselves. */
export interface StageFacts {
  /** Samples that the decoder makes of one frame. */
  readonly hopLength: number;
  /** Rows of the latent that flow and decoder work on. */
  readonly channels: number;
  /** Whether the rhythm has noise of its own; older voices have a deterministic predictor. */
  readonly hasDurationNoise: boolean;
  readonly hasSpeakers: boolean;
  readonly flow: FlowFacts;
  readonly decoder: DecoderFacts;
}

/** How to run the flow on one stretch of an utterance after the other. */
export interface FlowFacts extends StreamFacts {
  /** Outputs of the text stage that are inputs of this one: the speaker, as its layers read it. */
  readonly conditions: readonly string[];
}

/** How to run the decoder on a window. */
export interface DecoderFacts {
  /** Frames of input needed beyond each end of a window. */
  readonly halo: number;
  /** Where the stage drops what its later layers no longer need; one pair of inputs each. */
  readonly crops: readonly TimeSpan[];
  /** Outputs of the text stage that are inputs of this one: the speaker, as its layers read it. */
  readonly conditions: readonly string[];
}

export interface PiperStages {
  /**
   * `input` int64 [1, n], `scales` float [3] (noise, length, duration noise), `sid` int64 [1] of
   * multi-speaker voices, `duration_noise` float [1, 2, n] → `mean` and `log_deviation`
   * [1, channels, n], `durations` [1, 1, n] in frames, and one [1, k, 1] for each condition.
   */
  readonly text: OnnxGraph;
  /** `noisy` [1, channels, T], the flow conditions and what is carried → `latent` [1, channels, T']. */
  readonly flow: OnnxGraph;
  /**
   * `latent` [1, channels, T] and the decoder conditions → `audio` [1, 1, 1, T · hopLength], filled
   * up to a whole number of 16 samples.
   */
  readonly decoder: OnnxGraph;
  readonly facts: StageFacts;
}

/**
 * Cuts a Piper voice (VITS as exported by piper_train) into stages that together compute what the
 * whole does, for one utterance at a time.
 *
 * @throws Error that says what is missing or unknown, when the file is no such voice.
 */
export function cutPiperVoice(voice: OnnxGraph): PiperStages {
  const landmarks = findLandmarks(voice);
  const { noisy, latent } = landmarks;
  const audio = beforeReshaping(voice, voice.outputs[0] ?? '', ['Unsqueeze', 'Squeeze']);
  const fromNoisy = voice.downstream([noisy]);
  const fromDurations = voice.downstream([landmarks.durations]);
  const outside = readFromOutside(voice, fromNoisy);
  const masks = outside.filter((tensor) => fromDurations.has(tensor));
  const speaker = outside.filter((tensor) => !fromDurations.has(tensor));
  const ones = [...masks, ...textMasks(voice)].map((tensor) => [tensor, 1] as const);
  const zeros = flowZeros(voice, fromNoisy).map((tensor) => [tensor, 0] as const);
  const aliases = foldUniform(voice, new Map([...ones, ...zeros]));
  const conditionsOf = (output: string, input: string, name: string): GraphInput[] => {
    const inside = voice.upstream([output], new Set([input]));
    const tensors = speaker
      .filter((tensor) => inside.has(tensor))
      .map((tensor) => beforeReshaping(voice, tensor));
    return Array.from(new Set(tensors), (tensor, i) =>
      floatInput(tensor, `${name}_condition_${i}`),
    );
  };
  const flowConditions = conditionsOf(latent, noisy, 'flow');
  const decoderConditions = conditionsOf(audio, latent, 'decoder');
  const flow = streamStage(
    voice.extract(
      [floatInput(noisy, 'noisy'), ...flowConditions],
      [{ tensor: latent, name: 'latent' }],
      aliases,
    ),
    { name: 'noisy', channels: landmarks.channels },
    'latent',
  );
  const decoder = windowStage(
    asImages(
      voice.extract(
        [floatInput(latent, 'latent'), ...decoderConditions],
        [{ tensor: audio, name: 'audio' }],
        aliases,
      ),
    ),
    { input: 'latent', output: 'audio', timeAxis: 3 },
  );
  return {
    text: cutText(voice, landmarks, [...flowConditions, ...decoderConditions], aliases),
    flow: flow.graph,
    decoder: fastDecoder(decoder.graph),
    facts: {
      hopLength: landmarks.hopLength,
      channels: landmarks.channels,
      hasDurationNoise: landmarks.durationNoise !== undefined,
      hasSpeakers: hasSpeakers(voice),
      flow: { ...flow.stream, conditions: names(flowConditions) },
      decoder: {
        halo: decoder.halo,
        crops: decoder.crops,
        conditions: names(decoderConditions),
      },
    },
  };
}

function cutText(
  voice: OnnxGraph,
  landmarks: PiperLandmarks,
  conditions: readonly GraphInput[],
  aliases: ReadonlyMap<string, string>,
): OnnxGraph {
  const inputs: GraphInput[] = [
    { tensor: 'input', name: 'input', type: 'int64' },
    floatInput('scales', 'scales'),
  ];
  if (hasSpeakers(voice)) inputs.push({ tensor: 'sid', name: 'sid', type: 'int64' });
  if (landmarks.durationNoise !== undefined) {
    inputs.push(floatInput(landmarks.durationNoise, 'duration_noise'));
  }
  const outputs = [
    { tensor: landmarks.mean, name: 'mean' },
    { tensor: landmarks.logDeviation, name: 'log_deviation' },
    { tensor: landmarks.durations, name: 'durations' },
  ];
  return voice.extract(inputs, [...outputs, ...conditions], aliases);
}

/** Asked of the inputs: single-speaker files exist that give the same name to a weight. */
function hasSpeakers(voice: OnnxGraph): boolean {
  return voice.inputs.includes('sid');
}

function floatInput(tensor: string, name: string): GraphInput {
  return { tensor, name, type: 'float' };
}

function names(inputs: readonly GraphInput[]): string[] {
  return inputs.map(({ name }) => name);
}

/** Tensors that nodes downstream of the latent read from elsewhere, stored values aside. */
function readFromOutside(voice: OnnxGraph, fromNoisy: ReadonlySet<string>): string[] {
  const read = voice.nodes
    .filter((node) => node.output.some((tensor) => fromNoisy.has(tensor)))
    .flatMap((node) => node.input)
    .filter((tensor) => tensor !== '' && !fromNoisy.has(tensor) && !voice.isConstant(tensor));
  return [...new Set(read)];
}

/** The tensor that a slice or a reshape was taken from: one condition feeds many layers. */
function beforeReshaping(
  voice: OnnxGraph,
  tensor: string,
  reshaping: readonly string[] = ['Slice', 'Split', 'Unsqueeze', 'Squeeze'],
): string {
  const producer = voice.producer(tensor);
  if (!producer || !reshaping.includes(producer.opType ?? '')) return tensor;
  return beforeReshaping(voice, producer.input[0] ?? '', reshaping);
}

/** Which positions hold phonemes: with one utterance of its full length, all of them. */
function textMasks(voice: OnnxGraph): string[] {
  const fromLengths = voice.downstream(['input_lengths']);
  return voice.nodes
    .filter(
      (node) =>
        node.opType === 'Less' && node.input.some((tensor) => lengthsThemselves(voice, tensor)),
    )
    .map((node) => node.output[0] ?? '')
    .filter((tensor) => fromLengths.has(tensor));
}

/** What the flow's sums start from, each as long as what is added to it. */
function flowZeros(voice: OnnxGraph, fromNoisy: ReadonlySet<string>): string[] {
  return voice.nodes
    .filter((node) => {
      const value = attribute(node, 'value')?.t;
      const values = value ? floatValues(value) : [];
      return node.opType === 'ConstantOfShape' && values?.every((each) => each === 0);
    })
    .flatMap((node) => node.output)
    .filter((tensor) => fromNoisy.has(tensor));
}

function lengthsThemselves(voice: OnnxGraph, tensor: string): boolean {
  return tensor === 'input_lengths' || beforeReshaping(voice, tensor) === 'input_lengths';
}
