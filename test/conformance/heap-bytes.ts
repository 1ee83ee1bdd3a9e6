import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** @returns what this process keeps on its heap, garbage apart. */
export function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
