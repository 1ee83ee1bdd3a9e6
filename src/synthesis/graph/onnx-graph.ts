import type { onnx } from 'onnx-proto';
import onnxProto from 'onnx-proto';

export type Node = onnx.INodeProto & { input: string[]; output: string[] };
export type Tensor = onnx.ITensorProto;

/** What a sub-graph takes from outside: a tensor of the whole graph, under a name of our own. */
export interface GraphInput {
  readonly tensor: string;
  readonly name: string;
  readonly type: 'float' | 'int64';
}

export interface GraphOutput {
  readonly tensor: string;
  readonly name: string;
}

/** Says that a tensor is [1, channels, 1, length], where equal names stand for equal lengths. */
export interface RowShape {
  readonly tensor: string;
  readonly channels: number;
  readonly length: string;
}

const { ModelProto } = onnxProto.onnx;
/** Numbers that stand for them in the file format. */
export const ELEMENT_TYPES = { float: 1, int64: 7 } as const;
const INT_ATTRIBUTE = 2;
const INTS_ATTRIBUTE = 7;

/**
 * An ONNX graph with its edges indexed. Names of nodes and tensors mean nothing to it: exporters
 * rename them freely.
 */
export class OnnxGraph {
  readonly #model: onnx.IModelProto;
  readonly nodes: readonly Node[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly #initializers: ReadonlyMap<string, Tensor>;
  readonly #producers = new Map<string, Node>();
  readonly #consumers = new Map<string, Node[]>();

  private constructor(model: onnx.IModelProto) {
    const graph = model.graph ?? {};
    const initializers = graph.initializer ?? [];
    this.#model = model;
    this.nodes = (graph.node ?? []) as Node[];
    this.#initializers = new Map(initializers.map((tensor) => [tensor.name ?? '', tensor]));
    // Old exporters list weights among the inputs as well.
    this.inputs = (graph.input ?? [])
      .map((input) => input.name ?? '')
      .filter((name) => !this.#initializers.has(name));
    this.outputs = (graph.output ?? []).map((output) => output.name ?? '');
    for (const node of this.nodes) {
      for (const tensor of node.output) this.#producers.set(tensor, node);
      for (const tensor of node.input) {
        const known = this.#consumers.get(tensor);
        if (known) known.push(node);
        else this.#consumers.set(tensor, [node]);
      }
    }
  }

  /** @throws Error of the protobuf reader when `bytes` are no ONNX file. */
  static parse(bytes: Uint8Array): OnnxGraph {
    return new OnnxGraph(ModelProto.decode(bytes));
  }

  producer(tensor: string): Node | undefined {
    return this.#producers.get(tensor);
  }

  consumers(tensor: string): readonly Node[] {
    return this.#consumers.get(tensor) ?? [];
  }

  /** The stored value of a tensor, whether the exporter wrote a weight or a Constant node. */
  constant(tensor: string): Tensor | undefined {
    const stored = this.#initializers.get(tensor);
    if (stored) return stored;
    const producer = this.#producers.get(tensor);
    return producer?.opType === 'Constant'
      ? (attribute(producer, 'value')?.t ?? undefined)
      : undefined;
  }

  isConstant(tensor: string): boolean {
    return this.#initializers.has(tensor) || this.#producers.get(tensor)?.opType === 'Constant';
  }

  /** Tensors that the given ones are computed from, themselves included; stops at `stops`. */
  upstream(tensors: readonly string[], stops: ReadonlySet<string> = new Set()): Set<string> {
    return reach(tensors, (tensor) =>
      stops.has(tensor) ? [] : (this.#producers.get(tensor)?.input ?? []),
    );
  }

  /** Tensors that are computed from the given ones, themselves included. */
  downstream(tensors: readonly string[]): Set<string> {
    return reach(tensors, (tensor) => this.consumers(tensor).flatMap((node) => node.output));
  }

  /**
   * A new graph that computes `outputs` from `inputs`, with the weights that it needs and no others.
   * @param aliases tensors to read in place of others (key → replacement), which drops the nodes
   * between the two.
   * @throws Error when an output needs a tensor that is neither computed, stored nor in `inputs`.
   */
  extract(
    inputs: readonly GraphInput[],
    outputs: readonly GraphOutput[],
    aliases: ReadonlyMap<string, string> = new Map(),
  ): OnnxGraph {
    const renamed = new Map(inputs.map((input) => [input.tensor, input.name]));
    const source = (tensor: string): string => {
      const alias = renamed.has(tensor) ? undefined : aliases.get(tensor);
      return alias === undefined ? tensor : source(alias);
    };
    const name = (tensor: string): string => renamed.get(source(tensor)) ?? source(tensor);
    const needed = reach(
      outputs.map((output) => source(output.tensor)),
      (tensor) =>
        renamed.has(tensor) ? [] : (this.#producers.get(tensor)?.input ?? []).map(source),
    );
    const nodes = this.nodes
      .filter((node) => node.output.some((tensor) => needed.has(tensor) && !renamed.has(tensor)))
      .map((node) => ({ ...node, input: node.input.map(name) }));
    for (const tensor of needed) {
      const isKnown = tensor === '' || renamed.has(tensor) || this.#initializers.has(tensor);
      if (!isKnown && !this.#producers.has(tensor)) throw new Error(`Nothing computes ${tensor}.`);
    }
    const identities = outputs.map((output) => ({
      opType: 'Identity',
      input: [name(output.tensor)],
      output: [output.name],
    }));
    return this.#withGraph({
      name: 'stage',
      node: [...nodes, ...identities],
      initializer: Array.from(this.#initializers.values()).filter(
        (tensor) => needed.has(tensor.name ?? '') && !renamed.has(tensor.name ?? ''),
      ),
      input: inputs
        .filter((input) => needed.has(input.tensor))
        .map((input) => valueInfo(input.name, input.type)),
      output: outputs.map((output) => valueInfo(output.name, 'float')),
    });
  }

  /**
   * The same inputs and outputs, and more of them when given, with other nodes between them.
   * @param nodes in topological order.
   * @param weights added, or put in place of those of the same name.
   * @param outputs names of float tensors.
   */
  rewrite(
    nodes: readonly Node[],
    weights: readonly Tensor[],
    inputs: readonly Pick<GraphInput, 'name' | 'type'>[] = [],
    outputs: readonly string[] = [],
  ): OnnxGraph {
    const graph = this.#model.graph ?? {};
    const replaced = new Set(weights.map((tensor) => tensor.name));
    const kept = (graph.initializer ?? []).filter((tensor) => !replaced.has(tensor.name));
    return this.#withGraph({
      ...graph,
      node: [...nodes],
      initializer: [...kept, ...weights],
      input: [...(graph.input ?? []), ...inputs.map(({ name, type }) => valueInfo(name, type))],
      output: [...(graph.output ?? []), ...outputs.map((name) => valueInfo(name, 'float'))],
    });
  }

  /** The same graph, of which the runtime knows more than it can see by itself. */
  withShapes(shapes: readonly RowShape[]): OnnxGraph {
    return this.#withGraph({ ...this.#model.graph, valueInfo: shapes.map(shapeInfo) });
  }

  serialise(): Uint8Array {
    return ModelProto.encode(this.#model).finish();
  }

  #withGraph(graph: onnx.IGraphProto): OnnxGraph {
    return new OnnxGraph({
      irVersion: this.#model.irVersion ?? null,
      opsetImport: this.#model.opsetImport ?? null,
      graph,
    });
  }
}

export function attribute(node: Node, name: string): onnx.IAttributeProto | undefined {
  return node.attribute?.find((candidate) => candidate.name === name);
}

/** A weight of one dimension that holds whole numbers. */
export function wholeNumbers(name: string, values: readonly number[]): Tensor {
  return {
    name,
    dataType: ELEMENT_TYPES.int64,
    dims: [values.length],
    int64Data: [...values],
  };
}

/** The whole numbers that are stored under a name. @throws Error when there are none. */
export function storedWholeNumbers(graph: OnnxGraph, name: string): number[] {
  const tensor = graph.constant(name);
  if (tensor?.dataType !== ELEMENT_TYPES.int64) throw new Error(`${name} is not stored.`);
  const raw = tensor.rawData;
  if (!raw || raw.length === 0) return (tensor.int64Data ?? []).map(Number);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  return Array.from({ length: raw.byteLength / 8 }, (_, i) =>
    Number(view.getBigInt64(8 * i, true)),
  );
}

/** An attribute that lists whole numbers, such as strides; empty when the node has none. */
export function intsAttribute(node: Node, name: string): readonly number[] {
  return (attribute(node, name)?.ints ?? []).map(Number);
}

export function wholeNumberAttribute(name: string, i: number): onnx.IAttributeProto {
  return { name, type: INT_ATTRIBUTE, i };
}

export function wholeNumbersAttribute(name: string, ints: readonly number[]): onnx.IAttributeProto {
  return { name, type: INTS_ATTRIBUTE, ints: [...ints] };
}

function shapeInfo({ tensor, channels, length }: RowShape): onnx.IValueInfoProto {
  const dim = [{ dimValue: 1 }, { dimValue: channels }, { dimValue: 1 }, { dimParam: length }];
  return { name: tensor, type: { tensorType: { elemType: ELEMENT_TYPES.float, shape: { dim } } } };
}

function valueInfo(name: string, type: keyof typeof ELEMENT_TYPES): onnx.IValueInfoProto {
  return { name, type: { tensorType: { elemType: ELEMENT_TYPES[type] } } };
}

function reach(from: readonly string[], next: (tensor: string) => readonly string[]): Set<string> {
  const reached = new Set(from);
  // A Set's iteration also visits what is added while it runs.
  for (const tensor of reached) for (const neighbour of next(tensor)) reached.add(neighbour);
  return reached;
}
