/** Waits for a promise that never rejects, but not for ever. */
export async function settledWithin(promise: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, patience]);
  clearTimeout(timer);
}
