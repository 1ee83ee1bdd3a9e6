import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../../src/synthesis/engine/engine.ts';
import { EngineRouter } from '../../../../src/synthesis/engine/engine-router.ts';
import { requestOf } from '../../../contract/engine-contract.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';

describe('several engines as one', () => {
  const journal: string[] = [];
  const engine = (name: string): Engine => {
    const tone = new ToneEngine();
    return {
      reserve: ({ modelFile }) => {
        journal.push(`${name} reserves ${modelFile}`);
        return tone.reserve();
      },
      synthesise: (request, signal) => {
        journal.push(`${name} speaks ${request.modelFile}`);
        return tone.synthesise(request, signal);
      },
      load: async (modelFile) => {
        journal.push(`${name} loads ${modelFile}`);
      },
      close: async () => {
        journal.push(`${name} closes`);
      },
    };
  };
  const router = new EngineRouter(new Map([['kokoro-82m', engine('late')]]), engine('pool'));
  const voice = (modelFile: string) => ({
    modelFile,
    speakers: [0],
    sentences: ['short'] as const,
  });

  it('hands each model to the engine that it was made for', async () => {
    const { signal } = new AbortController();
    for (const name of ['kokoro-82m', 'en_US-any-low']) {
      router.reserve({ accountId: 'a', modelFile: name });
      for await (const _ of router.synthesise(requestOf(voice(name)), signal));
      await router.load(name);
    }
    await router.close();
    expect(journal.slice(0, 6)).toEqual([
      'late reserves kokoro-82m',
      'late speaks kokoro-82m',
      'late loads kokoro-82m',
      'pool reserves en_US-any-low',
      'pool speaks en_US-any-low',
      'pool loads en_US-any-low',
    ]);
    expect(journal.slice(6).toSorted()).toEqual(['late closes', 'pool closes']);
  });
});
