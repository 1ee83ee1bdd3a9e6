// @ts-check
// Speaks the protocol of espeak-worker.ts, and fails as espeak-ng itself cannot be made to.
import { parentPort } from 'node:worker_threads';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const answers = new Set(['hang', 'crash']);

port.on('message', ({ id, text }) => {
  if (text === 'crash') throw new Error('a trap');
  if (text === 'hang') while (answers.has(text));
  port.postMessage({
    type: 'reading',
    id,
    reading: { symbols: [...text], starts: [], ends: [] },
  });
});
port.postMessage({ type: 'ready' });
