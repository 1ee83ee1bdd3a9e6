import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import alawmulaw from 'alawmulaw';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Resampler } from '../../src/synthesis/audio/resampler.ts';
import { WINDOW_SCHEDULES } from '../../src/synthesis/engine/engine.ts';
import { KokoroEngine } from '../../src/synthesis/engine/kokoro/kokoro-engine.ts';
import { KOKORO_SPEAKERS } from '../../src/synthesis/engine/kokoro/speakers.ts';
import { hear } from '../support/hear.ts';
import { wordErrorRate } from '../support/word-errors.ts';
import { engineContract, requestOf, type Speech, speak } from './engine-contract.ts';
import { symbolsOf } from './engine-sentences.ts';
import { OneShotKokoro } from './one-shot-kokoro.ts';

const DIRECTORY = fileURLToPath(new URL('../../models/kokoro-82m', import.meta.url));
const HEART = KOKORO_SPEAKERS.findIndex(({ name }) => name === 'af_heart');
const EMMA = KOKORO_SPEAKERS.findIndex(({ name }) => name === 'bf_emma');
const VOICE = { modelFile: 'kokoro-82m', speakers: [HEART], sentences: ['short'] } as const;
const MOST_AT_ONCE = 4;

function openKokoro(): Promise<KokoroEngine> {
  return KokoroEngine.open({ directory: DIRECTORY, threads: 2, maxLiveJobs: MOST_AT_ONCE });
}

engineContract('Kokoro', { drawsNoise: false, leastBlocks: 1 }, async () => {
  const [engine, oneShot] = await Promise.all([openKokoro(), OneShotKokoro.open(DIRECTORY)]);
  return {
    engine,
    voices: [VOICE],
    places: MOST_AT_ONCE,
    reference: (request) => oneShot.speak(request),
  };
});

describe('Kokoro', () => {
  const never = new AbortController().signal;
  let engine: KokoroEngine;
  let medium: Speech;

  beforeAll(async () => {
    engine = await openKokoro();
    const symbols = symbolsOf('medium');
    medium = await speak(engine, requestOf(VOICE, { symbols, windows: WINDOW_SCHEDULES.eager }));
  });

  afterAll(() => engine.close());

  it('speaks a long chunk in pieces, the first one short, and joins them in silence', () => {
    const { blocks, samples, timing } = medium;
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    expect(blocks[0]?.length).toBeLessThan(1.8 * timing.sampleRate);
    let joint = 0;
    for (const block of blocks.slice(0, -1)) {
      joint += block.length;
      const around = samples.subarray(joint - 20, joint + 20);
      expect(Math.max(...around.map(Math.abs))).toBeLessThan(0.02);
    }
  });

  it('tells when each symbol sounds', () => {
    const { timing, samples } = medium;
    const symbols = symbolsOf('medium');
    const startOf = (index: number) =>
      timing.symbolSamples.slice(0, index).reduce((sum, count) => sum + count, 0);
    const level = (index: number) => rms(samples.subarray(startOf(index), startOf(index + 1)));
    // The vowel of "fee" is loud, the pause after the last word is silent.
    const vowel = symbols.join('').indexOf('fˈiː') + 2;
    expect(level(vowel)).toBeGreaterThan(0.05);
    expect(rms(samples.subarray(-timing.sampleRate / 20))).toBeLessThan(0.001);
    expect(timing.symbolSamples[vowel]).toBeGreaterThan(0.02 * timing.sampleRate);
    expect(timing.symbolSamples[vowel]).toBeLessThan(0.3 * timing.sampleRate);
  });

  it.runIf(process.platform === 'linux')('stands back for other threads', () => {
    const tasks = readdirSync('/proc/self/task').map((id) =>
      readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' '),
    );
    // Field 19 of proc(5) is the nice value; two fields went with the name.
    const nice = tasks.map((fields) => Number(fields[16]));
    const own = getPriority();
    expect(nice.filter((value) => value >= Math.min(own + 10, 19)).length).toBeGreaterThanOrEqual(
      2,
    );
    expect(nice.filter((value) => value === own).length).toBeGreaterThan(1);
  });

  it('is as loud as the other voices, and understood on a telephone', async () => {
    expect(20 * Math.log10(rms(medium.samples))).toBeGreaterThan(-24);
    expect(20 * Math.log10(rms(medium.samples))).toBeLessThan(-15);
    const heard = await hear(onTheTelephone(medium));
    const said =
      'Your appointment is on March third, and the fee is forty-two dollars and fifty cents.';
    expect(wordErrorRate(said, heard)).toBeLessThan(0.1);
  });

  it('mixes speakers; one with weight 1 is that speaker, bit for bit', async () => {
    const alone = await speak(engine, requestOf(VOICE));
    const whole = await speak(engine, requestOf(VOICE, { blend: [{ speaker: HEART, weight: 1 }] }));
    expect(whole.samples).toEqual(alone.samples);
    const half = [HEART, EMMA].map((speaker) => ({ speaker, weight: 0.5 }));
    const mixed = await speak(engine, requestOf(VOICE, { blend: half }));
    expect(mixed.samples).not.toEqual(alone.samples);
    expect(rms(mixed.samples)).toBeGreaterThan(0.02);
  });

  it('makes a piece again whose samples are not finite, then refuses it and speaks others', async () => {
    const blend = [{ speaker: HEART, weight: 1e38 }];
    await expect(speak(engine, requestOf(VOICE, { blend }))).rejects.toMatchObject({
      code: 'synthesis_failed',
      message: expect.stringContaining('failed twice'),
    });
    expect((await speak(engine, requestOf(VOICE))).samples.length).toBeGreaterThan(0);
  });

  it('computes one piece ahead of whoever pulls, and drops what nobody wants any more', async () => {
    const { completedSteps } = engine.stats;
    const controller = new AbortController();
    const symbols = symbolsOf('medium');
    const request = requestOf(VOICE, { symbols, windows: WINDOW_SCHEDULES.eager });
    const events = engine.synthesise(request, controller.signal);
    await events.next();
    await events.next();
    controller.abort();
    await expect(events.next()).rejects.toThrow();
    expect(engine.stats).toMatchObject({ liveJobs: 0, queuedSteps: 0 });
    // Another's step is done only when the thread is through with what it had begun.
    await speak(engine, requestOf(VOICE));
    const begun = medium.blocks.length + 2;
    expect(engine.stats.completedSteps - completedSteps).toBeLessThanOrEqual(begun + 2);
  });

  it('gives the next step to the listener who runs dry first', async () => {
    const controller = new AbortController();
    const order: string[] = [];
    const nowMs = performance.now();
    const start = async (name: string, laterMs: number) => {
      // What is due already goes in the order it came in.
      const deadline = () => nowMs + 10_000 + laterMs;
      await engine.synthesise(requestOf(VOICE, { deadline }), controller.signal).next();
      order.push(name);
    };
    await Promise.all([start('running', 0), start('later', 20_000), start('sooner', 10_000)]);
    controller.abort();
    expect(engine.stats.liveJobs).toBe(0);
    expect(order).toEqual(['running', 'sooner', 'later']);
  });

  it('counts what it speaks among the places', async () => {
    const controller = new AbortController();
    const live = [1, 2, 3, 4].map(() => engine.synthesise(requestOf(VOICE), controller.signal));
    const started = live.map((events) => events.next().catch(() => undefined));
    expect(engine.stats.liveJobs).toBe(4);
    expect(() => engine.reserve()).toThrow(/4 texts.*try again in \d+ ms/);
    controller.abort();
    await Promise.all(started);
    expect(engine.stats.liveJobs).toBe(0);
    engine.reserve().release();
  });

  it('loses nothing when the thread dies in the middle of a chunk', async () => {
    const { samples: expected } = await speak(engine, requestOf(VOICE));
    const { respawns } = engine.stats;
    const events = engine.synthesise(requestOf(VOICE), never);
    await events.next();
    await engine.restartThread();
    const block = await events.next();
    expect(block.value).toMatchObject({ type: 'block' });
    expect((block.value as { samples: Float32Array }).samples).toEqual(expected);
    expect(engine.stats.respawns).toBe(respawns + 1);
    await events.return();
  });

  it('tells its callers when it closes', async () => {
    const closing = await openKokoro();
    const spoken = speak(closing, requestOf(VOICE));
    const failed = expect(spoken).rejects.toMatchObject({ code: 'shutting_down' });
    await closing.close();
    await failed;
    await expect(speak(closing, requestOf(VOICE))).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

function onTheTelephone({ samples, timing }: Speech): Uint8Array {
  const resampler = new Resampler(timing.sampleRate, 8000);
  const narrow = [...resampler.process(samples), ...resampler.flush()];
  return alawmulaw.mulaw.encode(Int16Array.from(narrow, (sample) => sample * 32_767));
}
