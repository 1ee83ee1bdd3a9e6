import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacingClock } from '../../../../src/phone/calls/pacing-clock.ts';

describe('PacingClock', () => {
  it('lets go at once what fits in the lead, then waits', () => {
    const pacing = new PacingClock(400, 20);
    expect(pacing.roomMs(0)).toBe(400);
    pacing.sent(400, 0);
    expect(pacing.roomMs(0)).toBe(0);
    expect(pacing.waitMs(0)).toBe(100);
    expect(pacing.roomMs(100)).toBe(100);
    pacing.sent(100, 100);
    expect(pacing.waitMs(100)).toBe(100);
  });

  it('makes good what a late wake-up missed, and no more', () => {
    const pacing = new PacingClock(400, 20);
    pacing.sent(400, 0);
    expect(pacing.roomMs(350)).toBe(350);
    expect(pacing.roomMs(60_000)).toBe(400);
  });

  it('keeps two messages ahead where the lead is less', () => {
    const pacing = new PacingClock(100, 200);
    pacing.sent(200, 0);
    expect(pacing.roomMs(0)).toBe(200);
    pacing.sent(200, 0);
    expect(pacing.roomMs(199)).toBe(0);
    expect(pacing.waitMs(0)).toBe(200);
  });

  it('is early enough for wake-ups that are late, and never above its lead', () => {
    const wakeUps = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 200, maxLength: 400 });
    const lead = fc.constantFrom(40, 100, 200, 400, 500);
    fc.assert(
      fc.property(wakeUps, lead, (lateness, leadMs) => {
        const pacing = new PacingClock(leadMs, 20);
        let now = 0;
        let sentMs = 0;
        const mostLateMs = leadMs > 40 ? 30 : 15;
        for (const lateMs of lateness) {
          const dueMs = Math.floor(pacing.roomMs(now) / 20) * 20;
          sentMs += dueMs;
          pacing.sent(dueMs, now);
          expect(pacing.aheadMs(now)).toBeLessThanOrEqual(leadMs);
          now += pacing.waitMs(now) + Math.min(lateMs, mostLateMs);
          expect(sentMs).toBeGreaterThanOrEqual(now);
        }
        expect(sentMs - now).toBeLessThanOrEqual(leadMs);
      }),
    );
  });
});
