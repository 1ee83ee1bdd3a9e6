/** A month of an account, in milliseconds since 1970. */
export interface BillingPeriod {
  readonly startMs: number;
  /** The first moment of the next one. */
  readonly endMs: number;
}

/**
 * The month that a moment falls into, counted in UTC from the moment an account was made. Months
 * that lack its day begin on their last: one from 31 January goes on from 28 February, then 31 March.
 *
 * @param nowMs before the anchor (a clock that was set back) counts as the first month.
 */
export function billingPeriod(anchorMs: number, nowMs: number): BillingPeriod {
  const anchor = new Date(anchorMs);
  const now = new Date(Math.max(anchorMs, nowMs));
  const calendarMonths =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 +
    (now.getUTCMonth() - anchor.getUTCMonth());
  const months =
    monthsAfter(anchor, calendarMonths) > now.getTime() ? calendarMonths - 1 : calendarMonths;
  return { startMs: monthsAfter(anchor, months), endMs: monthsAfter(anchor, months + 1) };
}

function monthsAfter(anchor: Date, months: number): number {
  const moved = new Date(anchor);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const daysInMonth = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate();
  moved.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth));
  return moved.getTime();
}
