import { describe, expect, it } from 'vitest';
import { levelBars, plotCall } from '../../../../src/tools/desk-phone/level-plot.ts';
import { callLog, mulawTone, run } from './phone-harness.ts';

describe('levelBars', () => {
  it('draws silence as nothing and full scale as a full block', () => {
    const samples = new Float32Array(400);
    samples.fill(1, 100, 200);
    samples.fill(10 ** (-35.1 / 20), 200, 300);
    samples.fill(10 ** (-59.9 / 20), 300, 400);
    expect(levelBars(samples, 4)).toBe(' █▄▁');
  });
});

describe('plotCall', () => {
  it('draws both sides over time, with gaps, keys, speech and clears', () => {
    const log = callLog({
      durationMs: 10_000,
      runs: [run(1000, 3000), run(3900, 6000, 'cut'), run(8000, 9000)],
      clears: [{ atMs: 5950, silentAtMs: 6000, droppedMs: 0 }],
      moments: [
        { type: 'speech', atMs: 5000, label: '' },
        { type: 'key', atMs: 7000, label: '5' },
      ],
      caller: { startMs: 5000, frames: [mulawTone(8000)] },
    });
    expect(plotCall(log, 20)).toBe(
      [
        '  bot        ████ █████    ██',
        '                 ××  S|  5',
        '  caller             ██',
        '           0 s       5 s',
        '',
      ].join('\n'),
    );
  });

  it('has a scale for calls of any length', () => {
    for (const durationMs of [0, 400, 9000, 300_000, 7_200_000]) {
      const scale = plotCall(callLog({ durationMs }), 72).split('\n').at(-2) ?? '';
      expect(scale).toMatch(/^ +0 s/);
      expect(scale.length).toBeLessThan(96);
    }
  });
});
