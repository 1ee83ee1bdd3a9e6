import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Engine,
  type SynthesisTimings,
  WINDOW_SCHEDULES,
} from '../../src/synthesis/engine/engine.ts';
import { KokoroEngine } from '../../src/synthesis/engine/kokoro/kokoro-engine.ts';
import { scanModels } from '../../src/synthesis/engine/model-catalog.ts';
import { EnginePool } from '../../src/synthesis/engine/pool.ts';
import { symbolsOf } from '../../test/contract/engine-sentences.ts';
import { millisecondCells, printTable } from '../latency/report.ts';
import { summarise } from '../latency/statistics.ts';

const MODELS_DIR = fileURLToPath(new URL('../../models', import.meta.url));
const THREADS = 2;
const TURBO = { modelFile: 'en_US-libritts_r-medium', speaker: 14 };
const HEART = { modelFile: 'kokoro-82m', speaker: 3 };
const NEUTRAL = { variation: 1, rhythm: 1, pace: 1 };
/** Kokoro's streams beside which turbo is measured. */
const STREAMS_BESIDE = 2;

interface Spoken {
  readonly timings: SynthesisTimings;
  readonly speechMs: number;
  readonly cpuMs: number;
}

/**
 * Kokoro's first audio and processor time, and what two of its streams cost a turbo stream beside them:
 * of the engines alone, in this process.
 */
export async function kokoro(samples: number): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'sidetone-bench-'));
  const pool = new EnginePool({
    ...{ models: scanModels(MODELS_DIR).models, cacheFolders: [folder], workers: THREADS },
    ...{ cores: THREADS, maxStreams: 8, maxLoadedModels: 1 },
  });
  const engine = await KokoroEngine.open({
    ...{ directory: join(MODELS_DIR, HEART.modelFile), threads: THREADS, maxLiveJobs: 4 },
  });
  await pool.load(TURBO.modelFile);
  const alone = await repeat(samples, () => speak(engine, HEART, 'short'));
  const long = await repeat(Math.ceil(samples / 4), () => speak(engine, HEART, 'medium'));
  const turboAlone = await repeat(samples, () => speak(pool, TURBO, 'short'));
  const stop = new AbortController();
  const beside = Array.from({ length: STREAMS_BESIDE }, () => speakUntil(engine, stop.signal));
  const turboBeside = await repeat(samples, () => speak(pool, TURBO, 'short'));
  stop.abort();
  await Promise.all(beside);
  await Promise.all([pool.close(), engine.close()]);
  rmSync(folder, { recursive: true });
  const rows = {
    'Kokoro, a short clause': alone,
    'turbo alone': turboAlone,
    [`turbo beside ${STREAMS_BESIDE} Kokoro streams`]: turboBeside,
  };
  printTable(
    'First block of the engine, from the phonemes, ms',
    Object.entries(rows).map(([name, spoken]) => ({
      stream: name,
      ...millisecondCells(summarise(spoken.map(({ timings }) => timings.firstBlockMs))),
    })),
  );
  const realTimeFactor = summarise(long.map(({ cpuMs, speechMs }) => cpuMs / speechMs)).p50;
  console.log(`\n  Kokoro: ${realTimeFactor?.toFixed(2)} s of one core for a second of speech`);
  return { rows, realTimeFactor };
}

async function repeat<T>(times: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let i = 0; i < times; i++) results.push(await act());
  return results;
}

async function speak(
  engine: Engine,
  voice: typeof TURBO,
  sentence: 'short' | 'medium',
  signal = new AbortController().signal,
): Promise<Spoken> {
  const usage = process.cpuUsage();
  const askedMs = performance.now();
  const request = {
    accountId: 'bench',
    ...{ ...voice, symbols: symbolsOf(sentence), prosody: NEUTRAL, seed: 1 },
    ...{ windows: WINDOW_SCHEDULES.eager, deadline: () => askedMs },
  };
  let speechMs = 0;
  for await (const event of engine.synthesise(request, signal)) {
    if (event.type === 'timing') speechMs = (event.totalSamples / event.sampleRate) * 1000;
    if (event.type !== 'end') continue;
    const { user, system } = process.cpuUsage(usage);
    return { timings: event.timings, speechMs, cpuMs: (user + system) / 1000 };
  }
  throw new Error('The engine did not say where the time went.');
}

async function speakUntil(engine: Engine, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await speak(engine, HEART, 'medium', signal).catch(() => undefined);
}
