/** The figures that every timing is reported by; a value is `null` where nothing was measured. */
export interface Summary {
  readonly n: number;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/**
 * The nearest-rank percentile: the smallest measured value that at least `share` of all values do
 * not exceed. It is always a value that really occurred; nothing is interpolated.
 *
 * @param share above 0, up to 1.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

export function summarise(values: readonly number[]): Summary {
  return {
    n: values.length,
    p50: percentile(values, 0.5),
    p90: percentile(values, 0.9),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
    max: percentile(values, 1),
  };
}
