import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SynthesisRequest } from '../../src/synthesis/engine/engine.ts';
import { type EngineModel, scanModels } from '../../src/synthesis/engine/model-catalog.ts';
import { EnginePool, type EnginePoolOptions } from '../../src/synthesis/engine/pool.ts';
import { type ContractVoice, engineContract, requestOf, speak } from './engine-contract.ts';
import { symbolsOf } from './engine-sentences.ts';
import { OneShotVoice } from './one-shot-voice.ts';

const MODELS_DIR = fileURLToPath(new URL('../../models', import.meta.url));
const HOP_LENGTH = 256;
const ENGLISH: ContractVoice = {
  modelFile: 'en_US-libritts_r-medium',
  speakers: [14, 316, 685],
  sentences: ['medium', 'short', 'long'],
};
const PORTUGUESE: ContractVoice = {
  modelFile: 'pt_BR-faber-medium',
  speakers: [0],
  sentences: ['portugueseShort', 'portugueseLong'],
};

const BEGINNING = { accountId: 'a', modelFile: ENGLISH.modelFile };

const cacheFolder = mkdtempSync(join(tmpdir(), 'sidetone-stages-'));
/** With an eighth of the places kept for other accounts. */
const PLACES_OF_ONE = 14;
const { models } = scanModels(MODELS_DIR);

function openPool(change: Partial<EnginePoolOptions> = {}): EnginePool {
  return new EnginePool({
    models,
    cacheFolders: [cacheFolder],
    workers: 2,
    cores: 2,
    maxStreams: 16,
    maxLoadedModels: 2,
    refusesWhenLate: false,
    ...change,
  });
}

afterAll(() => rmSync(cacheFolder, { recursive: true }));

engineContract(
  'a pool of threads with real voices',
  { drawsNoise: true, leastBlocks: 4 },
  async () => {
    const engine = openPool();
    const voices = [ENGLISH, PORTUGUESE];
    const oneShots = new Map<string, OneShotVoice>();
    for (const { modelFile } of voices) {
      await engine.load(modelFile);
      const model = models.find(({ id }) => id === modelFile) as EngineModel;
      oneShots.set(modelFile, await OneShotVoice.open(model));
    }
    const reference = async (request: SynthesisRequest) => {
      const { timing } = await speak(engine, request);
      const oneShot = oneShots.get(request.modelFile) as OneShotVoice;
      return oneShot.speak(request, timing.totalSamples / HOP_LENGTH);
    };
    return { engine, voices, places: PLACES_OF_ONE, reference };
  },
);

describe('a pool of one thread', () => {
  let pool: EnginePool;
  let expected: Float32Array;

  /** Goes on with speech whose listener has long run dry, again and again. */
  async function speakUntil(signal: AbortSignal, engine = pool): Promise<void> {
    const request = requestOf(ENGLISH, { deadline: () => 0 });
    const own = AbortSignal.any([signal]);
    while (!signal.aborted) {
      try {
        for await (const event of engine.synthesise(request, own)) void event;
      } catch (thrown) {
        if (!signal.aborted) throw thrown;
      }
    }
  }

  beforeAll(async () => {
    pool = openPool({ workers: 1, maxStreams: 4 });
    await pool.load(ENGLISH.modelFile);
    ({ samples: expected } = await speak(pool, requestOf(ENGLISH)));
  });

  afterAll(() => pool.close());

  it('measures how fast it is', () => {
    expect(pool.stats.realTimeFactor).toBeGreaterThan(0);
    expect(pool.stats.realTimeFactor).toBeLessThan(1);
  });

  it('computes one window ahead of whoever pulls, and no more', async () => {
    const before = pool.stats.completedSteps;
    const events = pool.synthesise(requestOf(ENGLISH), new AbortController().signal);
    await events.next();
    await untilAtRest(pool);
    expect(pool.stats.completedSteps - before).toBe(2);
    await events.next();
    await untilAtRest(pool);
    expect(pool.stats.completedSteps - before).toBe(3);
    await events.return();
    expect(pool.stats.liveJobs).toBe(0);
  });

  it('gives the next step to the listener who runs dry first', async () => {
    const controller = new AbortController();
    const order: string[] = [];
    const nowMs = performance.now();
    const start = async (name: string, laterMs: () => number) => {
      const deadline = () => nowMs + 1000 * (1 + laterMs());
      const request = requestOf(ENGLISH, { deadline, symbols: symbolsOf('short') });
      await pool.synthesise(request, controller.signal).next();
      order.push(name);
    };
    let urgent = 3;
    const running = [
      start('running', () => 0),
      start('later', () => 2),
      start('sooner', () => 1),
      start('suddenly urgent', () => urgent),
    ];
    await nextTurn();
    urgent = 0;
    await Promise.all(running);
    controller.abort();
    expect(order).toEqual(['running', 'suddenly urgent', 'sooner', 'later']);
  });

  it('drops the work of a chunk that nobody wants any more', async () => {
    const controller = new AbortController();
    const events = pool.synthesise(requestOf(ENGLISH), controller.signal);
    await events.next();
    controller.abort();
    expect(pool.stats).toMatchObject({ liveJobs: 0, queuedSteps: 0 });
    await untilAtRest(pool);
    const { completedSteps } = pool.stats;
    await speak(pool, requestOf(ENGLISH, { symbols: symbolsOf('short'), windows: [1_000] }));
    expect(pool.stats.completedSteps - completedSteps).toBe(2);
  });

  it('counts what it speaks among the places', async () => {
    const controller = new AbortController();
    const speaking = [1, 2, 3, 4].map(() => speakUntil(controller.signal));
    await expect.poll(() => pool.stats.workingJobs).toBe(4);
    expect(pool.stats).toMatchObject({ ratedStreams: 4, isFull: true });
    expect(() => pool.reserve({ ...BEGINNING, accountId: 'b' })).toThrow(/try again in \d+ ms/);
    controller.abort();
    await Promise.all(speaking);
    pool.reserve(BEGINNING).release();
  });

  it('counts no chunk whose listener has not taken what was made', async () => {
    const controller = new AbortController();
    const unread = Array.from({ length: 30 }, () =>
      pool.synthesise(requestOf(ENGLISH), controller.signal),
    );
    for (const events of unread) await events.next();
    await untilAtRest(pool);
    expect(pool.stats).toMatchObject({ liveJobs: 30, workingJobs: 0, isFull: false });
    pool.reserve(BEGINNING).release();
    controller.abort();
  });

  it('has calls that are live hold their places, whether anything is spoken on them or not', () => {
    expect(() => pool.assertRoom('a', ['a', 'a', 'b'])).not.toThrow();
    expect(() => pool.assertRoom('a', ['a', 'a', 'b', 'c'])).toThrow(
      expect.objectContaining({ code: 'system_busy' }),
    );
  });

  it('lets the first words of one account pass a flood of another', async () => {
    const controller = new AbortController();
    const flood = Array.from({ length: 24 }, () => speakUntil(controller.signal));
    await expect.poll(() => pool.stats.completedSteps).toBeGreaterThan(30);
    const before = pool.stats.completedSteps;
    const askedAtMs = performance.now();
    const request = requestOf(ENGLISH, {
      accountId: 'b',
      symbols: symbolsOf('short'),
      deadline: () => askedAtMs + 120,
    });
    const first = pool.synthesise(request, controller.signal);
    await first.next();
    await first.next();
    // One step that was under way, its own two, and no more than one of the flood for each of these.
    expect(pool.stats.completedSteps - before).toBeLessThanOrEqual(6);
    controller.abort();
    await Promise.all(flood);
  });

  it('says that it is full when steps start late, though places are free', async () => {
    const roomy = openPool({ workers: 1, maxStreams: 100, refusesWhenLate: true });
    await roomy.load(ENGLISH.modelFile);
    const controller = new AbortController();
    const crowd = Array.from({ length: 24 }, () => speakUntil(controller.signal, roomy));
    await expect.poll(() => roomy.stats.isFull, { timeout: 60_000 }).toBe(true);
    expect(() => roomy.reserve(BEGINNING)).toThrow(/no time for more speech/);
    // Whose delay it is, is another's: who has nothing yet may begin.
    roomy.reserve({ ...BEGINNING, accountId: 'b' }).release();
    controller.abort();
    // Steps were late a moment ago, and now nobody could be helped by a refusal.
    expect(roomy.stats.isFull).toBe(false);
    roomy.reserve(BEGINNING).release();
    await Promise.all(crowd);
    await roomy.close();
  });

  it('loses nothing when the thread dies in the middle of a chunk', async () => {
    const { respawns } = pool.stats;
    const events = pool.synthesise(requestOf(ENGLISH), new AbortController().signal);
    await events.next();
    const blocks: Float32Array[] = [];
    for await (const event of events) {
      if (event.type === 'block') blocks.push(event.samples);
      if (blocks.length === 2) await killDuringStep(pool);
    }
    expect(blocks.flatMap((block) => [...block])).toEqual([...expected]);
    expect(pool.stats.respawns).toBeGreaterThan(respawns);
  });

  it('gives up on a chunk that kills its thread twice, and speaks the others', async () => {
    const poison = speak(pool, requestOf(ENGLISH, { deadline: () => -1 }));
    const failed = expect(poison).rejects.toMatchObject({ code: 'synthesis_failed' });
    const patient = requestOf(ENGLISH, { deadline: () => Number.POSITIVE_INFINITY });
    const other = speak(pool, patient);
    await killDuringStep(pool);
    await killDuringStep(pool);
    await failed;
    expect((await other).samples).toEqual(expected);
  });

  it('names a damaged voice, speaks the others, and takes the voice once it is whole', async () => {
    const [english, portuguese] = models as [EngineModel, EngineModel];
    const modelPath = join(cacheFolder, 'pt_BR-damaged-medium.onnx');
    writeFileSync(modelPath, readFileSync(portuguese.modelPath).subarray(0, 1_000_000));
    const damaged = { ...portuguese, id: 'pt_BR-damaged-medium', modelPath };
    const mixed = openPool({ models: [english, damaged], workers: 1 });
    await mixed.load(english.id);
    const request = requestOf({ ...PORTUGUESE, modelFile: damaged.id });
    const [failed, spoken] = await Promise.allSettled([
      speak(mixed, request),
      speak(mixed, requestOf(ENGLISH)),
    ]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { code: 'voice_file_corrupt', message: expect.stringContaining(damaged.id) },
    });
    expect(spoken).toMatchObject({ status: 'fulfilled', value: { samples: expected } });
    copyFileSync(portuguese.modelPath, modelPath);
    expect((await speak(mixed, request)).samples.length).toBeGreaterThan(0);
    await mixed.close();
  });

  it('names the file of a voice that it does not have, and what to do', async () => {
    const spoken = speak(pool, requestOf({ ...ENGLISH, modelFile: 'xx_XX-none-low' }));
    await expect(spoken).rejects.toMatchObject({
      code: 'voice_file_corrupt',
      message: expect.stringMatching(/xx_XX-none-low\.onnx.*models\/setup\.mjs fetch/),
    });
  });

  it('unloads the voice used least recently when there are too many', async () => {
    const small = openPool({ workers: 1, maxLoadedModels: 1 });
    await small.load(ENGLISH.modelFile);
    await speak(small, requestOf(PORTUGUESE));
    const { samples } = await speak(small, requestOf(ENGLISH));
    expect(samples).toEqual(expected);
    await small.close();
  });

  it('speaks with more voices at once than it keeps loaded', async () => {
    const small = openPool({ workers: 1, maxLoadedModels: 1 });
    await small.load(ENGLISH.modelFile);
    const [english, portuguese] = await Promise.all([
      speak(small, requestOf(ENGLISH)),
      speak(small, requestOf(PORTUGUESE)),
    ]);
    expect(english.samples).toEqual(expected);
    expect(portuguese.samples.length).toBeGreaterThan(0);
    await small.close();
  });

  it('tells its callers when it closes', async () => {
    const closing = openPool({ workers: 1 });
    await closing.load(ENGLISH.modelFile);
    const spoken = speak(closing, requestOf(ENGLISH));
    const failed = expect(spoken).rejects.toMatchObject({ code: 'shutting_down' });
    await new Promise((resolve) => setTimeout(resolve, 1));
    await closing.close();
    await failed;
    await expect(speak(closing, requestOf(ENGLISH))).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });
});

/** Until no step runs or could run. */
async function untilAtRest(pool: EnginePool): Promise<void> {
  while (pool.stats.runningSteps > 0 || pool.stats.queuedSteps > 0) await nextTurn();
}

/** Kills the only thread while it works on a step (and not while it loads a voice for one). */
async function killDuringStep(pool: EnginePool): Promise<void> {
  while (pool.stats.runningSteps === 0) await nextTurn();
  await pool.restartWorker(0);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
