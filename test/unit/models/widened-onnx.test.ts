import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto, { type onnx } from 'onnx-proto';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { widenHalves, widenOnnx } from '../../../models/setup/widened-onnx.mjs';
import { temporaryDir } from '../../support/temporary-dir.ts';

const { ModelProto } = onnxProto.onnx;
const FLOAT = 1;
const INT64 = 7;
const HALF = 10;
const INT_ATTRIBUTE = 2;
const TENSOR_ATTRIBUTE = 4;
const COUNT = 700;

/** The halves nearest to 0, 1/16, 2/16 … are exact. */
function halves(count: number): Buffer {
  const bytes = Buffer.alloc(2 * count);
  for (let i = 0; i < count; i++) bytes.writeUInt16LE(halfOfSixteenths(i), 2 * i);
  return bytes;
}

function halfOfSixteenths(sixteenths: number): number {
  if (sixteenths === 0) return 0;
  const exponent = Math.floor(Math.log2(sixteenths));
  return ((exponent - 4 + 15) << 10) | ((sixteenths / 2 ** exponent - 1) * 1024);
}

/** `y = cast(cast(x) + weights · small)`, all of it between the casts in halves. */
function halfModel(): Uint8Array {
  const cast = (input: string, output: string, to: number): onnx.INodeProto => ({
    opType: 'Cast',
    input: [input],
    output: [output],
    attribute: [{ name: 'to', type: INT_ATTRIBUTE, i: to }],
  });
  const small: onnx.INodeProto = {
    opType: 'Constant',
    output: ['small'],
    attribute: [
      {
        name: 'value',
        type: TENSOR_ATTRIBUTE,
        t: { dataType: HALF, dims: [1], rawData: Uint8Array.of(0x00, 0x3e) },
      },
    ],
  };
  const value = (name: string, elemType: number): onnx.IValueInfoProto => ({
    name,
    type: { tensorType: { elemType, shape: { dim: [{ dimValue: COUNT }] } } },
  });
  return ModelProto.encode({
    irVersion: 9,
    opsetImport: [{ domain: '', version: 20 }],
    graph: {
      name: 'half',
      node: [
        cast('x', 'x16', HALF),
        small,
        { opType: 'Mul', input: ['weights', 'small'], output: ['scaled'] },
        { opType: 'Add', input: ['x16', 'scaled'], output: ['y16'] },
        cast('y16', 'y', FLOAT),
      ],
      initializer: [
        { name: 'weights', dataType: HALF, dims: [COUNT], rawData: halves(COUNT) },
        { name: 'unused', dataType: INT64, dims: [1], rawData: new Uint8Array(8) },
      ],
      input: [value('x', FLOAT)],
      output: [value('y', FLOAT)],
      valueInfo: [value('y16', HALF)],
    },
  }).finish();
}

describe('widening a model', () => {
  it('gives one that computes the same in singles, its large weights in a second file', async () => {
    const folder = temporaryDir();
    mkdirSync(folder, { recursive: true });
    const { graph, weights } = widenOnnx(halfModel(), 'weights.bin');
    const bytes = Buffer.concat([...weights()]);
    writeFileSync(join(folder, 'graph.onnx'), graph);
    writeFileSync(join(folder, 'weights.bin'), bytes);
    expect(bytes).toHaveLength(4 * COUNT);
    const session = await InferenceSession.create(join(folder, 'graph.onnx'));
    // Neither half of this fits a half: 65 520 is beyond its range.
    const x = new Float32Array(COUNT).fill(100_000);
    const { y } = await session.run({ x: new Tensor('float32', x, [COUNT]) });
    const expected = x.map((value, i) => value + 1.5 * (i / 16));
    expect(y?.data).toEqual(expected);
    await session.release();
  });

  it('keeps what is not a half', () => {
    const { graph } = ModelProto.decode(widenOnnx(halfModel(), 'weights.bin').graph);
    const [weights, unused] = graph?.initializer ?? [];
    expect(weights).toMatchObject({ dataType: FLOAT, dataLocation: 1 });
    expect(unused).toMatchObject({ dataType: INT64, name: 'unused' });
    expect(unused?.rawData).toHaveLength(8);
    const types = graph?.node
      ?.flatMap(({ attribute }) => attribute ?? [])
      .map(({ i }) => Number(i));
    expect(types).not.toContain(HALF);
  });

  it('lays weights where the processor loads them fastest', () => {
    const model = ModelProto.decode(halfModel());
    const [first] = model.graph?.initializer ?? [];
    model.graph?.initializer?.push({ ...first, name: 'more' });
    const widened = widenOnnx(ModelProto.encode(model).finish(), 'weights.bin');
    const tensors = ModelProto.decode(widened.graph).graph?.initializer ?? [];
    const offsets = tensors.flatMap(({ externalData }) =>
      (externalData ?? []).filter(({ key }) => key === 'offset').map(({ value }) => Number(value)),
    );
    expect(offsets).toEqual([0, 2816]);
    expect(Buffer.concat([...widened.weights()])).toHaveLength(2816 + 4 * COUNT);
  });

  it.each([
    ['an empty file', new Uint8Array(0)],
    ['half a file', halfModel().subarray(0, 900)],
    ['another file', Buffer.from('<html>not found</html>')],
  ])('refuses %s', (_, bytes) => {
    expect(() => widenOnnx(bytes, 'weights.bin')).toThrow();
  });
});

describe('a half', () => {
  it.each([
    [0x0000, 0],
    [0x8000, -0],
    [0x0001, 2 ** -24],
    [0x03ff, 1023 * 2 ** -24],
    [0x3c00, 1],
    [0xc500, -5],
    [0x7bff, 65_504],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0xfc00, Number.NEGATIVE_INFINITY],
    [0x7e00, Number.NaN],
  ])('%i is %d', (bits, expected) => {
    const half = Buffer.alloc(2);
    half.writeUInt16LE(bits);
    expect(widenHalves(half).readFloatLE(0)).toBe(expected);
  });
});
