import { describe, expect, it } from 'vitest';
import { playOut } from '../../../bench/latency/playout.ts';

/** Messages of mu-law at 8 kHz: when each came, and how long it sounds. */
const arrivals = (...messages: ReadonlyArray<readonly [atMs: number, soundsMs: number]>) =>
  messages.map(([atMs, soundsMs]) => ({ atMs, audio: new Uint8Array(8 * soundsMs) }));

describe('playOut', () => {
  it('is content with audio that comes before it is needed', () => {
    const report = playOut(
      arrivals([1000, 100], [1100, 100], [1150, 100], [1299, 20]),
      'ulaw_8000',
    );
    expect(report).toEqual({ gapsMs: [100, 50, 149], underruns: 0, missingFrames: 0 });
  });

  it('counts each frame that was not there in time', () => {
    const report = playOut(arrivals([0, 100], [141, 100], [240, 20]), 'ulaw_8000');
    expect(report).toMatchObject({ underruns: 1, missingFrames: 3 });
  });

  it('plays on from where the silence ended', () => {
    const report = playOut(arrivals([0, 20], [35, 20], [61, 20]), 'ulaw_8000');
    expect(report).toMatchObject({ underruns: 2, missingFrames: 2 });
  });
});
