import { layerChannels } from './layer-channels.ts';
import { type Node, type OnnxGraph, wholeNumberAttribute, wholeNumbers } from './onnx-graph.ts';
import { haloOfInput } from './receptive-field.ts';

/** A stage that reads its input once, stretch after stretch, and carries what it needs again. */
export interface StreamedStage {
  readonly graph: OnnxGraph;
  readonly stream: StreamFacts;
}

/** How to run a streamed stage. */
export interface StreamFacts {
  /** Frames by which its output lags behind its input, until the last stretch makes up for them. */
  readonly lag: number;
  readonly carries: readonly CarryFacts[];
  readonly paddings: readonly PaddingFacts[];
  readonly holds: readonly HoldFacts[];
}

/**
 * What earlier stretches leave behind in tensors of one width: the input `input` [1, channels, sum of
 * the lengths] is put together from one piece a layer, whose lengths are the input `<input>_lengths`.
 * The output `output` has the pieces for the next stretch, always of their full lengths.
 */
export interface CarryFacts {
  readonly input: string;
  readonly output: string;
  readonly channels: number;
  /** Frames of each piece at the start of an utterance, all zero: the padding that the layers expect. */
  readonly firstLengths: readonly number[];
  readonly lengths: readonly number[];
}

/** Input float [1, channels, frames] of zeros in the last stretch, [1, channels, 0] before. */
export interface PaddingFacts {
  readonly input: string;
  readonly channels: number;
  readonly frames: number;
}

/** Input int64 [1], −`frames` until the last stretch, the largest number there. */
export interface HoldFacts {
  readonly input: string;
  readonly frames: number;
}

/** One piece of what is carried: the last `length` frames of a tensor. */
interface Piece {
  readonly name: string;
  readonly next: string;
  readonly channels: number;
  readonly firstLength: number;
  readonly length: number;
}

const TIME_AXIS = 2;
const alongTime = wholeNumberAttribute('axis', TIME_AXIS);

/** Where a slice ends that takes all of a tensor. */
export const END_OF_TENSOR = 2 ** 31 - 1;

/**
 * Makes a stage of convolutions run on consecutive stretches of its input with nothing computed twice.
 * Each layer lags behind its input by what it looks ahead; what it looks back on, and what must wait
 * for a lagging branch, is carried from one stretch to the next. The first stretch must be longer than
 * the whole lag, unless it is the last one as well.
 *
 * @param stage whose moving tensors are all [1, channels, time].
 * @throws Error when the stage has a layer that cannot be computed in stretches.
 */
export function streamStage(
  stage: OnnxGraph,
  input: { readonly name: string; readonly channels: number },
  output: string,
): StreamedStage {
  return new StreamBuilder(stage, input).build(output);
}

class StreamBuilder {
  readonly #stage: OnnxGraph;
  readonly #channels: ReadonlyMap<string, number>;
  /** Frames by which each tensor that moves with the input lags behind it. */
  readonly #lags: Map<string, number>;
  readonly #nodes: Node[] = [];
  readonly #pieces: Piece[] = [];
  readonly #paddings = new Map<string, PaddingFacts>();
  readonly #holds = new Map<string, HoldFacts>();
  /** Names of tensors that were made to wait, by what they are and how long. */
  readonly #waiting = new Map<string, string>();
  readonly #numbers = new Map<string, number>([
    ['stream_start', 0],
    ['stream_end', END_OF_TENSOR],
    ['stream_axis', TIME_AXIS],
  ]);

  constructor(stage: OnnxGraph, input: { readonly name: string; readonly channels: number }) {
    this.#stage = stage;
    this.#channels = layerChannels(stage, input);
    this.#lags = new Map([[input.name, 0]]);
  }

  build(output: string): StreamedStage {
    for (const node of this.#stage.nodes) this.#add(node);
    const widths = new Set(this.#pieces.map(({ channels }) => channels));
    const groups = Array.from(widths, (width) =>
      this.#pieces.filter(({ channels }) => channels === width),
    );
    const carries = groups.map(carryFacts);
    const stream = {
      lag: this.#lags.get(output) ?? 0,
      carries,
      paddings: [...this.#paddings.values()],
      holds: [...this.#holds.values()],
    };
    const numbers = Array.from(this.#numbers, ([name, value]) => wholeNumbers(name, [value]));
    return {
      graph: this.#stage.rewrite(
        [...groups.map(splitCarry), ...this.#nodes, ...groups.map(joinCarry)],
        numbers,
        streamInputs(stream),
        carries.map((carry) => carry.output),
      ),
      stream,
    };
  }

  #add(node: Node): void {
    const lags = node.input.flatMap((tensor) => this.#lags.get(tensor) ?? []);
    if (lags.length === 0) {
      this.#nodes.push(node);
      return;
    }
    if (node.opType === 'ConvTranspose') throw new Error('It has a layer that changes the rate.');
    const reach = haloOfInput(node, 0);
    const lag = Math.max(...lags);
    const input = node.input.map((tensor) => this.#wait(tensor, lag));
    this.#nodes.push(reach === 0 ? { ...node, input } : this.#unpadded({ ...node, input }, reach));
    for (const tensor of node.output) this.#lags.set(tensor, lag + reach);
  }

  /** The tensor as it was, so that it lags as much as its neighbours. */
  #wait(tensor: string, lag: number): string {
    const frames = lag - (this.#lags.get(tensor) ?? lag);
    const key = `${tensor}_after_${frames}`;
    const known = frames === 0 ? tensor : this.#waiting.get(key);
    if (known !== undefined) return known;
    const hold = { input: `hold_${frames}`, frames };
    this.#holds.set(hold.input, hold);
    const piece = this.#carry(tensor, 0, frames);
    const all = `${piece.name}_joined`;
    this.#nodes.push(
      concat([piece.name, tensor], all),
      slice(all, ['stream_start', hold.input], key),
      slice(all, [this.#number(-frames), 'stream_end'], piece.next),
    );
    this.#waiting.set(key, key);
    return key;
  }

  /** The convolution with what it looks back on in place of its padding. */
  #unpadded(node: Node, reach: number): Node {
    const [tensor = '', ...weights] = node.input;
    const piece = this.#carry(tensor, reach, 2 * reach);
    const { channels } = piece;
    const padding = { input: `padding_${channels}_${reach}`, channels, frames: reach };
    this.#paddings.set(padding.input, padding);
    const all = `${piece.name}_joined`;
    this.#nodes.push(
      concat([piece.name, tensor, padding.input], all),
      slice(all, [this.#number(-2 * reach), 'stream_end'], piece.next),
    );
    const attribute = (node.attribute ?? []).filter(({ name }) => name !== 'pads');
    return { ...node, input: [all, ...weights], attribute };
  }

  #carry(tensor: string, firstLength: number, length: number): Piece {
    const name = `carried_${this.#pieces.length}`;
    const channels = this.#channels.get(tensor) ?? 0;
    const piece = { name, next: `${name}_next`, channels, firstLength, length };
    this.#pieces.push(piece);
    return piece;
  }

  #number(value: number): string {
    const name = `stream_${value}`;
    this.#numbers.set(name, value);
    return name;
  }
}

function carryFacts(pieces: readonly Piece[]): CarryFacts {
  const channels = pieces[0]?.channels ?? 0;
  return {
    input: `carry_${channels}`,
    output: `carry_${channels}_next`,
    channels,
    firstLengths: pieces.map(({ firstLength }) => firstLength),
    lengths: pieces.map(({ length }) => length),
  };
}

function splitCarry(pieces: readonly Piece[]): Node {
  const { input } = carryFacts(pieces);
  const output = pieces.map(({ name }) => name);
  return { opType: 'Split', input: [input, `${input}_lengths`], output, attribute: [alongTime] };
}

function joinCarry(pieces: readonly Piece[]): Node {
  const { output } = carryFacts(pieces);
  return concat(
    pieces.map(({ next }) => next),
    output,
  );
}

function streamInputs({ carries, paddings, holds }: StreamFacts) {
  return [
    ...carries.flatMap(({ input }) => [
      { name: input, type: 'float' as const },
      { name: `${input}_lengths`, type: 'int64' as const },
    ]),
    ...paddings.map(({ input }) => ({ name: input, type: 'float' as const })),
    ...holds.map(({ input }) => ({ name: input, type: 'int64' as const })),
  ];
}

function concat(input: string[], output: string): Node {
  return { opType: 'Concat', input, output: [output], attribute: [alongTime] };
}

function slice(tensor: string, [from = '', to = '']: readonly string[], output: string): Node {
  return { opType: 'Slice', input: [tensor, from, to, 'stream_axis'], output: [output] };
}
