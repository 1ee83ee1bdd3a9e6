import { describe, expect, it } from 'vitest';
import { Progress, progressLine } from '../../../models/setup/progress.mjs';

const MIB = 2 ** 20;

describe('progressLine', () => {
  it('shows name, share, bar, amount, rate and time left', () => {
    expect(progressLine('piper', 25 * MIB, 100 * MIB, 5 * MIB)).toBe(
      'piper  25 % [######..................] 25.0/100.0 MiB  5.0 MiB/s  15 s left',
    );
    expect(progressLine('piper', 0, 100 * MIB, MIB)).toMatch(
      / {3}0 % \[\.{24}\].*1 min 40 s left$/,
    );
    expect(progressLine('piper', MIB, MIB, MIB)).toContain('100 % [########################]');
  });

  it('shows what it can when the total is unknown or nothing moves', () => {
    expect(progressLine('piper', MIB, undefined, MIB)).toBe('piper  1.0 MiB  1.0 MiB/s');
    expect(progressLine('piper', 0, MIB, 0)).toMatch(/0\.0 MiB\/s$/);
  });
});

describe('Progress', () => {
  function run(isTTY: boolean) {
    let text = '';
    const output = {
      isTTY,
      columns: 60,
      write: (piece: string) => (text += piece),
    };
    const progress = new Progress('piper', output);
    progress.update(1 * MIB, 2 * MIB);
    progress.update(2 * MIB, 2 * MIB);
    progress.end();
    return text;
  }

  it('redraws one line on a terminal, no wider than it', () => {
    const lines = run(true).split('\r');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every((line) => line.replace('\x1b[K', '').trimEnd().length < 60)).toBe(true);
    expect(run(true).match(/\n/g)).toHaveLength(1);
  });

  it('writes whole lines to a log', () => {
    expect(run(false)).toMatch(/^piper 100 % .*\n$/);
  });
});
