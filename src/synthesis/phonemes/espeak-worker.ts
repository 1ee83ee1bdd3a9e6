// The only module that loads espeak-ng, which is GPL-3: it runs here, in a thread of its own.
import { parentPort } from 'node:worker_threads';
import loadEspeak from '@echogarden/espeak-ng-emscripten';
import { ClauseReader } from './clause-reader.ts';
import { Espeak } from './espeak.ts';
import type { ReadRequest, ThreadMessage } from './espeak-protocol.ts';

/** Runs everything until the compilers have optimised it: first calls are 10 times slower. */
const WARM_UP_ROUNDS = 150;

const reader = new ClauseReader(new Espeak(await loadEspeak()));
for (let round = 0; round < WARM_UP_ROUNDS; round++) {
  const text = `Line ${round}, Dr. Smith paid 42 dollars at the end of the day; may I help you?`;
  reader.read(text, text.length, 'en-us');
}

// What espeak-ng throws is not caught: after a trap its memory cannot be trusted, so the thread
// dies and is replaced.
parentPort?.on('message', ({ id, language, text, bodyLength }: ReadRequest) => {
  const reading = reader.read(text, bodyLength, language);
  post(reading ? { type: 'reading', id, reading } : { type: 'unknown-language', id });
});
post({ type: 'ready' });

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
