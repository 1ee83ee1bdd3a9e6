import { describe, expect, it } from 'vitest';
import { billingPeriod } from '../../../../src/service/account/billing-period.ts';

function periodOf(anchor: string, now: string): readonly string[] {
  const { startMs, endMs } = billingPeriod(Date.parse(anchor), Date.parse(now));
  return [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(0, 19));
}

describe('a month of an account', () => {
  it.each([
    ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00Z', '2026-01-15T10:00:00', '2026-02-15T10:00:00'],
    ['2026-01-15T10:00:00Z', '2026-02-15T09:59:59Z', '2026-01-15T10:00:00', '2026-02-15T10:00:00'],
    ['2026-01-15T10:00:00Z', '2026-02-15T10:00:00Z', '2026-02-15T10:00:00', '2026-03-15T10:00:00'],
    ['2026-12-31T23:00:00Z', '2027-01-01T00:00:00Z', '2026-12-31T23:00:00', '2027-01-31T23:00:00'],
    ['2026-01-31T00:00:00Z', '2026-02-27T23:59:59Z', '2026-01-31T00:00:00', '2026-02-28T00:00:00'],
    ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z', '2026-02-28T00:00:00', '2026-03-31T00:00:00'],
    ['2026-01-31T00:00:00Z', '2026-03-30T00:00:00Z', '2026-02-28T00:00:00', '2026-03-31T00:00:00'],
    ['2024-02-29T12:00:00Z', '2025-02-28T12:00:00Z', '2025-02-28T12:00:00', '2025-03-29T12:00:00'],
    ['2024-02-29T12:00:00Z', '2028-02-29T12:00:00Z', '2028-02-29T12:00:00', '2028-03-29T12:00:00'],
  ])('from %s, at %s, is %s to %s', (anchor, now, start, end) => {
    expect(periodOf(anchor, now)).toEqual([start, end]);
  });

  it('is the first when the clock was set back', () => {
    expect(periodOf('2026-05-05T00:00:00Z', '2026-01-01T00:00:00Z')[0]).toBe('2026-05-05T00:00:00');
  });

  it('begins where the one before ended, over years', () => {
    const anchorMs = Date.parse('2023-08-31T01:02:03.004Z');
    let { endMs } = billingPeriod(anchorMs, anchorMs);
    for (let month = 0; month < 60; month++) {
      const next = billingPeriod(anchorMs, endMs);
      expect(next.startMs).toBe(endMs);
      expect(billingPeriod(anchorMs, endMs - 1).endMs).toBe(endMs);
      endMs = next.endMs;
    }
    expect(new Date(endMs).toISOString()).toBe('2028-09-30T01:02:03.004Z');
  });
});
