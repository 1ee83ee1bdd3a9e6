/**
 * Waits for a promise that never rejects, but not for ever.
 *
 * @returns its value; undefined when it has none by then.
 */
export async function settledWithin<T>(
  promise: Promise<T>,
  limitMs: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
