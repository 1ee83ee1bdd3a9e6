import { parentPort, workerData } from 'node:worker_threads';
import { freshMemory, Silero, type SileroMemory } from './silero.ts';
import type { FromThread, ToThread } from './voice-activity-protocol.ts';

const memories = new Map<number, SileroMemory>();
/** One window after the other: each needs what the one before has left. */
let turn: Promise<void> = Promise.resolve();

try {
  const silero = await Silero.open((workerData as { modelPath: string }).modelPath);
  parentPort?.on('message', (message: ToThread) => {
    turn = turn.then(() => handle(silero, message));
  });
  post({ type: 'ready' });
} catch (thrown) {
  post({ type: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) });
}

async function handle(silero: Silero, message: ToThread): Promise<void> {
  const { listenerId } = message;
  if (message.type === 'forget') {
    memories.delete(listenerId);
    return;
  }
  const memory = memories.get(listenerId) ?? freshMemory(message.sampleRate);
  memories.set(listenerId, memory);
  const probability = await silero.hear(message.samples, message.sampleRate, memory);
  post({ type: 'heard', listenerId, probability });
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}
