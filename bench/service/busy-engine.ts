import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WINDOW_SCHEDULES } from '../../src/synthesis/engine/engine.ts';
import { scanModels } from '../../src/synthesis/engine/model-catalog.ts';
import { EnginePool } from '../../src/synthesis/engine/pool.ts';
import { symbolsOf } from '../../test/contract/engine-sentences.ts';

const MODELS_DIR = fileURLToPath(new URL('../../models', import.meta.url));
const VOICE = 'en_US-libritts_r-medium';
/** As a server that is full: when a listener's audio runs dry does not matter, there is always more to do. */
const STREAMS_A_CORE = 4;

/** An engine that speaks on every core, from when this resolves until it is disposed of. */
export async function busyEngine(): Promise<AsyncDisposable> {
  const workers = availableParallelism();
  const folder = mkdtempSync(join(tmpdir(), 'sidetone-bench-'));
  const pool = new EnginePool({
    models: scanModels(MODELS_DIR).models,
    cacheFolders: [join(MODELS_DIR, '.cache', 'stages'), folder],
    workers,
    cores: workers,
    maxLoadedModels: 1,
  });
  await pool.load(VOICE);
  const ending = new AbortController();
  const streams = Array.from({ length: workers * STREAMS_A_CORE }, (_, seed) =>
    speakOn(pool, seed, ending.signal),
  );
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(streams);
      await pool.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function speakOn(pool: EnginePool, seed: number, signal: AbortSignal): Promise<void> {
  const request = {
    accountId: 'bench',
    modelFile: VOICE,
    speaker: 14,
    symbols: symbolsOf('medium'),
    seed,
    windows: WINDOW_SCHEDULES.thrifty,
    prosody: { variation: 1, rhythm: 1, pace: 1 },
    deadline: () => 0,
  };
  while (!signal.aborted) {
    try {
      for await (const event of pool.synthesise(request, signal)) void event;
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }
}
