import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WINDOW_SCHEDULES } from '../../../../src/synthesis/engine/engine.ts';
import { placeWindow, planWindows, widen } from '../../../../src/synthesis/engine/windows.ts';

describe('planning windows', () => {
  it('cuts every frame into one window, in order', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 5_000 }), (schedule, frames) => {
        const windows = planWindows(schedule, frames);
        const covered = windows.flatMap(({ from, to }) => [from, to]);
        const joints = windows.slice(1).flatMap(({ from }) => [from, from]);
        expect(covered).toEqual(frames === 0 ? [] : [0, ...joints, frames]);
        expect(windows.every(({ from, to }) => to > from)).toBe(true);
      }),
    );
  });

  it('follows the schedule, then repeats its last size', () => {
    const sizes = planWindows([8, 16, 32], 120).map(({ from, to }) => to - from);
    expect(sizes).toEqual([8, 16, 32, 32, 32]);
  });

  it('lets a short rest join the last window', () => {
    const sizes = (frames: number) => planWindows([8, 96], frames).map(({ from, to }) => to - from);
    expect(sizes(8 + 96 + 23)).toEqual([8, 119]);
    expect(sizes(8 + 96 + 24)).toEqual([8, 96, 24]);
  });

  it('does not depend on what comes after a window, but for the last', () => {
    const long = planWindows(WINDOW_SCHEDULES.eager, 1_000);
    const longer = planWindows(WINDOW_SCHEDULES.eager, 2_000);
    expect(longer.slice(0, long.length - 1)).toEqual(long.slice(0, -1));
  });

  it.each([[[]], [[0]], [[8, -1]], [[1.5]]])('refuses the schedule %j', (schedule) => {
    expect(() => planWindows(schedule, 100)).toThrow(RangeError);
  });
});

describe('placing a window in a stage', () => {
  const stage = {
    halo: 11,
    crops: [
      { halo: 8, samplesPerFrame: 1 },
      { halo: 8, samplesPerFrame: 8 },
    ],
  };

  it('reads the halo, and drops it where later layers need less', () => {
    const place = placeWindow({ from: 100, to: 108 }, 1_000, stage, 64);
    expect(place.input).toEqual({ from: 89, to: 119 });
    // 92…116 of 89…119, then of 92·8…116·8 the window with 8 samples more at each end.
    expect(place.crops).toEqual([
      { from: 3, to: 27 },
      { from: 56, to: 136 },
    ]);
    expect(place.lead).toBe(64);
  });

  it('drops nothing at the ends of the utterance', () => {
    const place = placeWindow({ from: 0, to: 20 }, 20, stage, 64);
    expect(place).toEqual({
      input: { from: 0, to: 20 },
      crops: [
        { from: 0, to: 20 },
        { from: 0, to: 160 },
      ],
      lead: 0,
    });
  });

  it('keeps each stretch within the tensor that it is cut from', () => {
    const span = { from: fc.integer({ min: 0, max: 99 }), length: fc.integer({ min: 1, max: 50 }) };
    fc.assert(
      fc.property(fc.record(span), ({ from, length }) => {
        const window = { from, to: Math.min(100, from + length) };
        const { input, crops, lead } = placeWindow(window, 100, stage, 64);
        const [first, second] = crops as [(typeof crops)[0], (typeof crops)[0]];
        expect(first.from).toBeGreaterThanOrEqual(0);
        expect(first.to).toBeLessThanOrEqual(input.to - input.from);
        expect(second.from).toBeGreaterThanOrEqual(0);
        expect(second.to).toBeLessThanOrEqual((first.to - first.from) * 8);
        const produced = (second.to - second.from) * 8;
        expect(lead + (window.to - window.from) * 64).toBeLessThanOrEqual(produced);
      }),
    );
  });
});

describe('widening', () => {
  it('stays within the whole', () => {
    expect(widen({ from: 5, to: 9 }, 3, 100)).toEqual({ from: 2, to: 12 });
    expect(widen({ from: 2, to: 99 }, 3, 100)).toEqual({ from: 0, to: 100 });
  });
});
