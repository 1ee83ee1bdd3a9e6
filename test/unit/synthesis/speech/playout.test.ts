import { describe, expect, it } from 'vitest';
import { Playout } from '../../../../src/synthesis/speech/playout.ts';

describe('Playout', () => {
  it('gives a listener who hears nothing yet a fixed slack from the moment of asking', () => {
    let now = 1_000;
    const playout = new Playout(() => now);
    const deadline = playout.deadline();
    now = 5_000;
    expect(deadline()).toBe(1_120);
  });

  it('moves with the audio that was handed out', () => {
    let now = 1_000;
    const playout = new Playout(() => now);
    const deadline = playout.deadline();
    playout.add(500);
    playout.add(400);
    expect(deadline()).toBe(1_900);
    now = 1_700;
    playout.add(100);
    expect(deadline()).toBe(2_000);
  });

  it('counts every millisecond once the first audio is out, however little that is', () => {
    let now = 1_000;
    const playout = new Playout(() => now);
    const deadline = playout.deadline();
    now = 1_040;
    playout.add(93);
    expect(deadline()).toBe(1_133);
    now = 1_150;
    expect(deadline()).toBe(1_133);
  });

  it('does not wait longer for a listener whose buffer is about to run dry', () => {
    let now = 0;
    const playout = new Playout(() => now);
    playout.add(100);
    const deadline = playout.deadline();
    now = 90;
    expect(deadline()).toBe(100);
    now = 120;
    expect(deadline()).toBe(100);
  });

  it('starts again from now after the buffer ran dry', () => {
    let now = 0;
    const playout = new Playout(() => now);
    const deadline = playout.deadline();
    playout.add(1_000);
    now = 4_000;
    playout.add(200);
    expect(deadline()).toBe(4_200);
  });
});

describe('Playout behind other audio', () => {
  it('is due when that has been heard, however long ago the work was asked for', () => {
    let now = 1_000;
    let aheadMs = 3_000;
    const playout = new Playout(
      () => now,
      () => aheadMs,
    );
    const deadline = playout.deadline();
    expect(deadline()).toBe(4_000);
    expect(playout.isDry).toBe(false);
    playout.add(500);
    now = 2_000;
    aheadMs = 2_500;
    expect(deadline()).toBe(4_500);
    now = 6_000;
    aheadMs = 0;
    expect(deadline()).toBe(1_500);
    expect(playout.isDry).toBe(true);
  });
});
