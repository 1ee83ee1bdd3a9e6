// @ts-check
import { bytesField, readFields, varintField } from './protobuf.mjs';

/**
 * @typedef {object} WidenedOnnx
 * @property {Buffer} graph The model without its large weights, which it looks for in `weightsName` beside it.
 * @property {() => Generator<Buffer>} weights The bytes of that file, a piece at a time.
 */

// Field numbers of onnx.proto3 (github.com/onnx/onnx, IR version 9).
const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5, valueInfo: 13 };
const NODE = { attribute: 5 };
const ATTRIBUTE = { name: 1, integer: 3, tensor: 5 };
const TENSOR = { dataType: 2, name: 8, rawData: 9, externalData: 13, dataLocation: 14 };
const ENTRY = { key: 1, value: 2 };

const FLOAT = 1;
const FLOAT16 = 10;
const EXTERNAL = 1;
/** The attribute of Cast that names an element type. */
const CAST_TO = 'to';
/** Smaller ones stay in the graph, where the runtime can compute with them in advance. */
const LEAST_EXTERNAL_BYTES = 1024;
/** The longest vector that a processor loads at once. */
const ALIGNMENT = 64;
const NOTHING = Buffer.alloc(0);

/**
 * Rewrites an ONNX model of 16-bit floats as one of 32-bit floats: weights, types of casts, constants.
 * Kokoro's half-precision file gives not-a-number for whole sentences, because its activations leave the
 * range of a half; the same weights in single precision do not. Large weights go into a file of their own,
 * aligned, so that the runtime maps them from disk instead of copying them.
 *
 * @param {Uint8Array} model an ONNX file whose float tensors are 16 bits wide and stored as raw data.
 * @param {string} weightsName what the second file will be called.
 * @returns {WidenedOnnx}
 * @throws {Error} when it is no such file.
 */
export function widenOnnx(model, weightsName) {
  const store = new WeightStore(weightsName);
  let hasGraph = false;
  const graph = rewrite(model, {
    [MODEL.graph]: ({ content }) => {
      hasGraph = true;
      return bytesField(MODEL.graph, widenGraph(content, store));
    },
  });
  if (!hasGraph) throw new Error('the model has no graph');
  return { graph, weights: () => store.bytes() };
}

/** Large weights, in the order and at the places where the graph looks for them. */
class WeightStore {
  #name;
  #length = 0;
  /** @type {{ offset: number, halves: Uint8Array | undefined, floats: Uint8Array | undefined }[]} */
  #tensors = [];

  /** @param {string} name of the file. */
  constructor(name) {
    this.#name = name;
  }

  /**
   * @param {Uint8Array} raw
   * @param {boolean} isHalf
   * @returns {Buffer[]} the fields by which a tensor says where it is.
   */
  add(raw, isHalf) {
    const offset = Math.ceil(this.#length / ALIGNMENT) * ALIGNMENT;
    const length = isHalf ? raw.length * 2 : raw.length;
    this.#length = offset + length;
    this.#tensors.push({
      offset,
      halves: isHalf ? raw : undefined,
      floats: isHalf ? undefined : raw,
    });
    const entries = Object.entries({ location: this.#name, offset, length });
    return [
      ...entries.map(([key, value]) =>
        bytesField(
          TENSOR.externalData,
          Buffer.concat([bytesField(ENTRY.key, key), bytesField(ENTRY.value, String(value))]),
        ),
      ),
      varintField(TENSOR.dataLocation, EXTERNAL),
    ];
  }

  /** @returns {Generator<Buffer>} */
  *bytes() {
    let at = 0;
    for (const { offset, halves, floats } of this.#tensors) {
      if (offset > at) yield Buffer.alloc(offset - at);
      const bytes = halves ? widenHalves(halves) : Buffer.from(floats ?? []);
      yield bytes;
      at = offset + bytes.length;
    }
  }
}

/**
 * @param {Uint8Array} graph
 * @param {WeightStore} store
 */
function widenGraph(graph, store) {
  return rewrite(graph, {
    [GRAPH.node]: ({ content }) => bytesField(GRAPH.node, widenNode(content)),
    [GRAPH.initializer]: ({ content }) =>
      bytesField(GRAPH.initializer, widenTensor(content, store)),
    // Types of what lies between the nodes: the runtime infers them.
    [GRAPH.valueInfo]: () => NOTHING,
  });
}

/** @param {Uint8Array} node */
function widenNode(node) {
  return rewrite(node, {
    [NODE.attribute]: ({ content }) => bytesField(NODE.attribute, widenAttribute(content)),
  });
}

/** @param {Uint8Array} attribute */
function widenAttribute(attribute) {
  const name = [...readFields(attribute)].find(({ number }) => number === ATTRIBUTE.name);
  const isType = Buffer.from(name?.content ?? []).toString() === CAST_TO;
  return rewrite(attribute, {
    [ATTRIBUTE.integer]: (field) =>
      isType && field.value === FLOAT16 ? varintField(ATTRIBUTE.integer, FLOAT) : field.encoded,
    [ATTRIBUTE.tensor]: ({ content }) => bytesField(ATTRIBUTE.tensor, widenTensor(content)),
  });
}

/**
 * @param {Uint8Array} tensor
 * @param {WeightStore} [store] for its bytes when they are many; without one they stay.
 */
function widenTensor(tensor, store) {
  const fields = [...readFields(tensor)];
  const type = fields.find(({ number }) => number === TENSOR.dataType)?.value;
  const raw = fields.find(({ number }) => number === TENSOR.rawData)?.content;
  const isHalf = type === FLOAT16;
  if (isHalf && raw === undefined) throw new Error('a half-precision tensor is not raw data');
  const isMoved = store && raw && raw.length >= LEAST_EXTERNAL_BYTES;
  const moved = isMoved ? store.add(raw, isHalf) : [];
  const kept = rewrite(tensor, {
    [TENSOR.dataType]: ({ encoded }) => (isHalf ? varintField(TENSOR.dataType, FLOAT) : encoded),
    [TENSOR.rawData]: ({ content, encoded }) => {
      if (isMoved) return NOTHING;
      return isHalf ? bytesField(TENSOR.rawData, widenHalves(content)) : encoded;
    },
  });
  return Buffer.concat([kept, ...moved]);
}

/**
 * IEEE 754 binary16 to binary32, both little-endian; every half has an exact single.
 * @param {Uint8Array} halves
 * @returns {Buffer}
 */
export function widenHalves(halves) {
  const count = halves.length / 2;
  const view = new DataView(halves.buffer, halves.byteOffset, halves.byteLength);
  const floats = Buffer.alloc(count * 4);
  for (let at = 0; at < count; at++) {
    floats.writeFloatLE(SINGLE_OF_HALF[view.getUint16(at * 2, true)] ?? 0, at * 4);
  }
  return floats;
}

/** By the half's bits. */
const SINGLE_OF_HALF = Float32Array.from({ length: 2 ** 16 }, (_, bits) => {
  const sign = bits >>> 15 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
});

/**
 * A message with some of its fields replaced, the others as they were.
 * @param {Uint8Array} message
 * @param {Readonly<Record<number, (field: import('./protobuf.mjs').Field) => Uint8Array>>} replacements
 *   by field number.
 * @returns {Buffer}
 */
function rewrite(message, replacements) {
  return Buffer.concat(
    Array.from(
      readFields(message),
      (field) => replacements[field.number]?.(field) ?? field.encoded,
    ),
  );
}
