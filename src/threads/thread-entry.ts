/**
 * The compiled file of a thread's entry module. Threads always run from `dist`: Node cannot start a
 * worker from TypeScript source, and tests import the rest of the program from `src`.
 *
 * @param entry path of the entry under `src`, such as `synthesis/engine/worker.ts`.
 */
export function threadEntry(entry: string): URL {
  const compiled = entry.replace(/\.ts$/, '.js');
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? `../../dist/${compiled}` : `../${compiled}`, import.meta.url);
}
