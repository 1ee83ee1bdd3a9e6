import { describe, expect, it } from 'vitest';
import { placeWindow } from '../../../../src/synthesis/engine/windows.ts';
import { windowStage } from '../../../../src/synthesis/graph/windowed-stage.ts';
import {
  convolution,
  difference,
  imageGraph,
  runRow,
  unevenValues,
  unevenWeight,
} from './image-graph.ts';

const FRAMES = 60;
const UPSAMPLING = { kernel: 8, stride: 4, pad: 2 };
const SAMPLES_PER_FRAME = 16;
const nodes = [
  convolution('Conv', ['x', 'first'], { kernel: 7, pad: 3 }),
  convolution('ConvTranspose', ['first', 'up'], UPSAMPLING),
  convolution('Conv', ['up', 'second'], { kernel: 7, pad: 9, dilation: 3 }),
  convolution('ConvTranspose', ['second', 'high'], UPSAMPLING),
  convolution('Conv', ['high', 'y'], { kernel: 3, pad: 1 }),
];
const kernels = { first: 7, up: 8, second: 7, high: 8, y: 3 };
const whole = imageGraph(
  nodes,
  Object.entries(kernels).map(([name, kernel]) => unevenWeight(`w_${name}`, [1, 1, 1, kernel])),
);
const options = { input: 'x', output: 'y', timeAxis: 3 };

describe('a stage computed in windows', () => {
  const stage = windowStage(whole, options);

  it('keeps what its layers need: exactly behind upsamplings, to the frame before them', () => {
    // y reads 1 sample around it, `high` at 16 a frame; that reads 1 of `second`, at 4 a frame, which
    // reads 9 more of `up`; and that reads 3 of `first`, which reads 3 more of x.
    expect(stage.halo).toBe(6);
    expect(stage.crops).toEqual([
      { halo: 3, samplesPerFrame: 1 },
      { halo: 10, samplesPerFrame: 4 },
      { halo: 1, samplesPerFrame: 4 },
      { halo: 1, samplesPerFrame: 16 },
    ]);
  });

  it('leaves less than a frame before an upsampling', () => {
    const near = convolution('Conv', ['up', 'second'], { kernel: 3, pad: 1 });
    const graph = imageGraph(
      nodes.map((node) => (node.output[0] === 'second' ? near : node)),
      [],
    );
    expect(windowStage(graph, options).crops.map((span) => span.samplesPerFrame)).toEqual([
      ...[1, 4, 16],
    ]);
  });

  it.each([
    ['inside', 20, 28],
    ['at the beginning', 0, 5],
    ['near the beginning', 2, 9],
    ['at the end', 52, 60],
    ['all of it', 0, 60],
  ])('computes what the whole does: %s', async (_, from, to) => {
    const values = unevenValues(FRAMES);
    const place = placeWindow({ from, to }, FRAMES, stage, SAMPLES_PER_FRAME);
    const crops = place.crops.flatMap((crop, i) => [
      [`crop_${i}_start`, crop.from],
      [`crop_${i}_end`, crop.to],
    ]);
    const input = values.slice(place.input.from, place.input.to);
    const window = await runRow(stage.graph, 1, input, Object.fromEntries(crops));
    const expected = (await runRow(whole, 1, values)).values.subarray(
      from * SAMPLES_PER_FRAME,
      to * SAMPLES_PER_FRAME,
    );
    const spoken = window.values.subarray(place.lead, place.lead + expected.length);
    expect(difference(expected, spoken)).toBeLessThan(1e-5);
  });
});
