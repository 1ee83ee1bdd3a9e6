import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Engine,
  SynthesisEvent,
  SynthesisRequest,
} from '../../src/synthesis/engine/engine.ts';
import { snrDb } from '../support/audio-measures.ts';
import { type SENTENCES, symbolsOf } from './engine-sentences.ts';

/** A voice that the engine under test speaks with. */
export interface ContractVoice {
  readonly modelFile: string;
  readonly speakers: readonly number[];
  readonly sentences: readonly (keyof typeof SENTENCES)[];
}

export interface EngineUnderTest {
  readonly engine: Engine;
  readonly voices: readonly ContractVoice[];
  /** Streams that it lets begin at once. */
  readonly places: number;
  /** The same request spoken in one go by the voice as it was published. */
  readonly reference: (request: SynthesisRequest) => Promise<Float32Array>;
}

type Timing = Extract<SynthesisEvent, { type: 'timing' }>;

export interface Speech {
  readonly timing: Timing;
  readonly blocks: readonly Float32Array[];
  readonly samples: Float32Array;
}

const SCHEDULES = [[8, 16, 32, 64, 96], [5, 40], [1_000_000]];

export function requestOf(
  voice: ContractVoice,
  change: Partial<SynthesisRequest> = {},
): SynthesisRequest {
  return {
    accountId: 'a',
    modelFile: voice.modelFile,
    speaker: voice.speakers[0] ?? 0,
    symbols: symbolsOf(voice.sentences[0] ?? 'short'),
    prosody: { variation: 1, rhythm: 1, pace: 1 },
    seed: 20_261,
    windows: [8, 16, 32, 64, 96],
    deadline: () => 0,
    ...change,
  };
}

export async function speak(
  engine: Engine,
  request: SynthesisRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Speech> {
  let timing: Timing | undefined;
  const blocks: Float32Array[] = [];
  for await (const event of engine.synthesise(request, signal)) {
    if (event.type === 'timing') timing = event;
    if (event.type === 'block') blocks.push(event.samples);
  }
  if (!timing) throw new Error('The engine sent no timing.');
  return { timing, blocks, samples: joined(blocks) };
}

/** In what adapters may differ. */
export interface EngineTraits {
  /** Whether another seed speaks differently; else every seed speaks the same. */
  readonly drawsNoise: boolean;
  /** Into how many blocks at least the first sentence of the first voice is cut. */
  readonly leastBlocks: number;
}

/** What every adapter of `synthesis/engine/engine.ts` does, whatever it is made of. */
export function engineContract(
  name: string,
  { drawsNoise, leastBlocks }: EngineTraits,
  open: () => Promise<EngineUnderTest>,
): void {
  describe(`the engine contract: ${name}`, () => {
    let subject: EngineUnderTest;
    let voice: ContractVoice;

    beforeAll(async () => {
      subject = await open();
      [voice] = subject.voices as [ContractVoice];
    });

    afterAll(() => subject.engine.close());

    it('speaks in windows what the published voice speaks in one go, to 90 dB', async () => {
      for (const tested of subject.voices) {
        for (const [index, sentence] of tested.sentences.entries()) {
          const speaker = tested.speakers[index % tested.speakers.length] ?? 0;
          const symbols = symbolsOf(sentence);
          const reference = await subject.reference(requestOf(tested, { speaker, symbols }));
          for (const windows of SCHEDULES) {
            const request = requestOf(tested, { speaker, symbols, windows });
            const { samples } = await speak(subject.engine, request);
            expect(samples.length).toBe(reference.length);
            expect(snrDb(reference, samples)).toBeGreaterThan(90);
          }
        }
      }
    });

    it('follows the prosody', async () => {
      const neutral = await speak(subject.engine, requestOf(voice));
      const prosody = { variation: 0.4, rhythm: 0.2, pace: 0.7 };
      const request = requestOf(voice, { prosody });
      const slow = await speak(subject.engine, request);
      expect(slow.samples.length).toBeGreaterThan(1.2 * neutral.samples.length);
      expect(snrDb(await subject.reference(request), slow.samples)).toBeGreaterThan(90);
    });

    it('does not click where windows join', async () => {
      const { blocks, samples } = await speak(subject.engine, requestOf(voice));
      expect(blocks.length).toBeGreaterThanOrEqual(leastBlocks);
      let joint = 0;
      for (const block of blocks.slice(0, -1)) {
        joint += block.length;
        expect(stepAt(samples, joint)).toBeLessThanOrEqual(1.5 * largestStepNear(samples, joint));
      }
    });

    it('says how long everything lasts before it is heard', async () => {
      const { timing, samples } = await speak(subject.engine, requestOf(voice));
      expect(timing.totalSamples).toBe(samples.length);
      expect(timing.symbolSamples).toHaveLength(requestOf(voice).symbols.length);
      expect(timing.symbolSamples.reduce((sum, count) => sum + count, 0)).toBe(samples.length);
    });

    it('ends with where the time went', async () => {
      const events: SynthesisEvent[] = [];
      const { signal } = new AbortController();
      for await (const event of subject.engine.synthesise(requestOf(voice), signal)) {
        events.push(event);
      }
      expect(events[0]?.type).toBe('timing');
      const last = events.at(-1);
      if (last?.type !== 'end') throw new Error(`It ended with ${last?.type}.`);
      const { textMs, firstBlockMs, synthMs } = last.timings;
      expect(firstBlockMs).toBeGreaterThan(textMs);
      expect(synthMs).toBeGreaterThan(textMs);
    });

    it('passes over symbols that the voice lacks', async () => {
      const symbols = ['☎', ...requestOf(voice).symbols, '☃'];
      const plain = await speak(subject.engine, requestOf(voice));
      const strange = await speak(subject.engine, requestOf(voice, { symbols }));
      expect(strange.samples).toEqual(plain.samples);
      expect(strange.timing.symbolSamples).toEqual([0, ...plain.timing.symbolSamples, 0]);
    });

    it('is silent when it knows none of the symbols', async () => {
      const { timing, samples } = await speak(
        subject.engine,
        requestOf(voice, { symbols: ['☎', '☃'] }),
      );
      expect(timing).toMatchObject({ totalSamples: 0, symbolSamples: [0, 0] });
      expect(samples).toHaveLength(0);
    });

    it('repeats itself for the same seed, however busy it is', async () => {
      const alone = await speak(subject.engine, requestOf(voice));
      const together = await Promise.all(
        [1, 2, 3, 4].map(() => speak(subject.engine, requestOf(voice))),
      );
      for (const { samples } of together) expect(samples).toEqual(alone.samples);
    });

    it.runIf(drawsNoise)('speaks differently for another seed', async () => {
      const { samples: first } = await speak(subject.engine, requestOf(voice, { seed: 1 }));
      const { samples: second } = await speak(subject.engine, requestOf(voice, { seed: 2 }));
      const length = Math.min(first.length, second.length);
      expect(snrDb(first.slice(0, length), second.slice(0, length))).toBeLessThan(6);
    });

    it.skipIf(drawsNoise)('speaks the same for every seed', async () => {
      const { samples: first } = await speak(subject.engine, requestOf(voice, { seed: 1 }));
      const { samples: second } = await speak(subject.engine, requestOf(voice, { seed: 2 }));
      expect(second).toEqual(first);
    });

    it('has so many places for what begins, refuses more, and says when to try again', async () => {
      const { engine, places } = subject;
      const beginning = { accountId: 'a', modelFile: voice.modelFile };
      const taken = Array.from({ length: places }, () => engine.reserve(beginning));
      expect(() => engine.reserve(beginning)).toThrow(
        expect.objectContaining({
          code: 'system_busy',
          message: expect.stringMatching(/try again in \d+ ms/),
        }),
      );
      const spoken = await speak(engine, requestOf(voice, { place: taken.pop() }));
      expect(spoken.samples.length).toBeGreaterThan(0);
      engine.reserve(beginning).release();
      for (const place of [...taken, ...taken]) place.release();
    });

    it('goes on with speech though all places are taken', async () => {
      const { engine, places } = subject;
      const beginning = { accountId: 'a', modelFile: voice.modelFile };
      const taken = Array.from({ length: places }, () => engine.reserve(beginning));
      expect((await speak(engine, requestOf(voice))).samples.length).toBeGreaterThan(0);
      for (const place of taken) place.release();
    });

    it('does nothing for a signal that is aborted already', async () => {
      const reason = new Error('too late');
      const spoken = speak(subject.engine, requestOf(voice), AbortSignal.abort(reason));
      await expect(spoken).rejects.toBe(reason);
    });

    it('stops at once when the signal aborts, even where nobody pulls', async () => {
      const controller = new AbortController();
      const reason = new Error('the caller spoke');
      const events = subject.engine.synthesise(requestOf(voice), controller.signal);
      const iterator = events[Symbol.asyncIterator]();
      await iterator.next();
      expect((await iterator.next()).value).toMatchObject({ type: 'block' });
      controller.abort(reason);
      await expect(iterator.next()).rejects.toBe(reason);
      expect(await iterator.next()).toMatchObject({ done: true });
    });

    it('throws the reason of an abort at whoever waits for a block', async () => {
      const controller = new AbortController();
      const reason = new Error('the caller spoke');
      const waiting = subject.engine
        .synthesise(requestOf(voice), controller.signal)
        [Symbol.asyncIterator]()
        .next();
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
    });

    it('fails one request and serves the others', async () => {
      const [bad, good] = await Promise.allSettled([
        speak(subject.engine, requestOf(voice, { speaker: 1_000_000 })),
        speak(subject.engine, requestOf(voice)),
      ]);
      expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'synthesis_failed' } });
      expect(good.status).toBe('fulfilled');
    });
  });
}

function joined(blocks: readonly Float32Array[]): Float32Array {
  const samples = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let offset = 0;
  for (const block of blocks) {
    samples.set(block, offset);
    offset += block.length;
  }
  return samples;
}

function stepAt(samples: Float32Array, index: number): number {
  return Math.abs((samples[index] ?? 0) - (samples[index - 1] ?? 0));
}

/** Among 400 samples around, the joint itself aside. */
function largestStepNear(samples: Float32Array, joint: number): number {
  const near = Array.from({ length: 400 }, (_, i) => joint - 200 + i);
  return Math.max(
    ...near.filter((index) => index !== joint).map((index) => stepAt(samples, index)),
  );
}
