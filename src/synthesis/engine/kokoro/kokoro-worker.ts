import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../threads/thread-priority.ts';
import type { FromKokoroWorker, KokoroStep, KokoroWorkerData } from './kokoro-protocol.ts';
import { KokoroRunner } from './kokoro-runner.ts';

const { directory, threads } = workerData as KokoroWorkerData;

// Behind the turbo engine's threads, which stand back five steps. Before the runtime starts threads
// of its own, which inherit it.
lowerThreadPriority(10);

try {
  const runner = await KokoroRunner.open(directory, threads);
  parentPort?.on('message', (step: KokoroStep) => {
    void runner.run(step).then(reply, (thrown: unknown) => {
      reply({ type: 'failed', reason: messageOf(thrown) });
    });
  });
  reply({ type: 'ready' });
} catch (thrown) {
  reply({ type: 'unusable', reason: messageOf(thrown) });
}

function reply(message: FromKokoroWorker): void {
  parentPort?.postMessage(message);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
