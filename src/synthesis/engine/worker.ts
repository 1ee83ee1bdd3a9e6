import { parentPort } from 'node:worker_threads';
import { SpeechError } from '../../domain/errors.ts';
import { lowerThreadPriority } from '../../threads/thread-priority.ts';
import { corrupt, cutVoice } from '../graph/stage-cache.ts';
import { MAX_SYMBOLS, WINDOW_SCHEDULES } from './engine.ts';
import { StageRunner, type TextRequest } from './stage-runner.ts';
import { planWindows } from './windows.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

type Load = Extract<ToWorker, { type: 'load' }>;

/** Ids of the texts to warm up with. */
const WARM_UP_LENGTHS = [160, 24, 80];
/** A symbol is an id and a pad. */
const MOST_IDS = 2 * MAX_SYMBOLS;

interface LoadedStages {
  readonly runner: StageRunner;
  readonly reply: Extract<FromWorker, { type: 'loaded' }>;
}

const loaded = new Map<string, LoadedStages>();

// The thread that serves sockets goes first: it needs little, and what it delays is heard.
lowerThreadPriority(5);

parentPort?.on('message', (message: ToWorker) => {
  void answer(message);
});

async function answer(message: ToWorker): Promise<void> {
  const reply = await perform(message).catch(failure);
  const owned = reply.type === 'block' ? [reply.samples.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(reply, owned);
}

async function perform(message: ToWorker): Promise<FromWorker> {
  const startMs = performance.now();
  switch (message.type) {
    case 'text': {
      const encoding = await runnerOf(message.modelId).text(message.request);
      return {
        type: 'encoded',
        encoding,
        computeMs: performance.now() - startMs,
      };
    }
    case 'window': {
      const samples = await runnerOf(message.modelId).window(message.encoding, message.window);
      return { type: 'block', samples, computeMs: performance.now() - startMs };
    }
    case 'load':
      return load(message);
    case 'unload':
      await loaded.get(message.modelId)?.runner.close();
      loaded.delete(message.modelId);
      return { type: 'unloaded' };
    default:
      return message satisfies never;
  }
}

async function load(message: Load): Promise<FromWorker> {
  const known = loaded.get(message.modelId);
  if (known) return known.reply;
  const { directory, facts } = cutVoice(message.modelPath, message.cacheFolders);
  const runner = await StageRunner.open(directory, facts).catch((cause: Error) => {
    throw corrupt(message.modelPath, `cannot be run (${cause.message})`, cause);
  });
  const realTimeFactor = await warmUp(runner, message, facts.hopLength);
  const reply = { type: 'loaded', hopLength: facts.hopLength, realTimeFactor } as const;
  loaded.set(message.modelId, { runner, reply });
  return reply;
}

/** Speaks to nobody, so that the first caller does not wait for memory. */
async function warmUp(
  runner: StageRunner,
  { sampleIds, sampleRate }: Load,
  hopLength: number,
): Promise<number> {
  let factor = Number.POSITIVE_INFINITY;
  const textOf = (length: number): TextRequest => ({
    ids: Array.from({ length }, (_, i) => sampleIds[i % sampleIds.length] ?? 0),
    ...{ speaker: 0, seed: length, noiseScale: 0.667, lengthScale: 1, noiseW: 0.8 },
  });
  // The longest text there is: the memory that it takes is kept, and no later one takes more.
  await runner.text(textOf(MOST_IDS));
  for (const length of WARM_UP_LENGTHS) {
    const startMs = performance.now();
    const encoding = await runner.text(textOf(length));
    for (const window of planWindows(WINDOW_SCHEDULES.eager, encoding.frames)) {
      await runner.window(encoding, window);
    }
    const speechMs = (encoding.frames * hopLength * 1000) / sampleRate;
    // The fastest: the first takes memory, and others may use the machine meanwhile.
    factor = Math.min(factor, (performance.now() - startMs) / speechMs);
  }
  return factor;
}

function runnerOf(modelId: string): StageRunner {
  const runner = loaded.get(modelId)?.runner;
  if (!runner) throw new Error(`The model ${modelId} is not loaded in this thread.`);
  return runner;
}

function failure(thrown: unknown): FromWorker {
  if (thrown instanceof SpeechError) {
    return { type: 'failed', code: thrown.code, message: thrown.message };
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return { type: 'failed', code: 'synthesis_failed', message: reason };
}
