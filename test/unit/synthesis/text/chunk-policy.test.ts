import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tokens, UNSCRIPTED } from '../../../../bench/latency/replies.ts';
import { type LatencyLevel, policyForLevel } from '../../../../src/synthesis/text/chunk-policy.ts';
import { Chunker } from '../../../../src/synthesis/text/chunker.ts';
import { pushAll } from '../../../support/cut-text.ts';

/**
 * What first audio costs once a chunk is there, by `bench/engine/rtf.ts`: 14 ms for 15 characters,
 * 32 for 75. Levels 0 and 1 begin with larger windows. Replace by newer figures when retuning.
 */
const FIRST_AUDIO_MS = 11;
const FIRST_AUDIO_MS_PER_CHAR = 0.28;
const LARGER_WINDOW_MS: Readonly<Record<LatencyLevel, number>> = { 0: 18, 1: 3, 2: 0, 3: 0, 4: 0 };

const agentSentences = readFileSync(
  new URL('../../../fixtures/text/agent-sentences.txt', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n');
const SETS = Object.entries({ ...UNSCRIPTED, 'one sentence': agentSentences });

/** The first chunk of a reply, and at which of its tokens it is there; the last token is flushed. */
function firstChunk(reply: string, level: LatencyLevel): { text: string; token: number } {
  const chunker = new Chunker(policyForLevel(level), 'en');
  const written = tokens(reply);
  for (const [index, token] of written.entries()) {
    const isLast = index === written.length - 1;
    const [first] = [...pushAll(chunker, token), ...(isLast ? chunker.flush() : [])];
    if (first) return { text: first.text, token: index };
  }
  throw new Error(`level ${level} speaks nothing of "${reply}"`);
}

/** Median time from a reply's first token to its first audio, without a server. */
function firstAudioMs(replies: readonly string[], level: LatencyLevel, tokenMs: number): number {
  const times = replies
    .map((reply) => {
      const { text, token } = firstChunk(reply, level);
      const synthesisMs = FIRST_AUDIO_MS + text.length * FIRST_AUDIO_MS_PER_CHAR;
      return token * tokenMs + synthesisMs + LARGER_WINDOW_MS[level];
    })
    .toSorted((one, other) => one - other);
  const middle = times.slice(Math.floor((times.length - 1) / 2), Math.floor(times.length / 2) + 1);
  return middle.reduce((sum, time) => sum + time, 0) / middle.length;
}

describe('latency levels', () => {
  it('are tried with tokens of about four characters', () => {
    const written = agentSentences.flatMap(tokens);
    expect(written.join('')).toBe(agentSentences.join(''));
    expect(written.join('').length / written.length).toBeCloseTo(4, 0);
  });

  describe.each(SETS)('on replies with a first sentence of this kind: %s', (kind, replies) => {
    it.runIf(kind !== 'short').each([20, 50, 100])(
      'share the gain of level 3 at %i tokens a second',
      (rate) => {
        const [slowest, one, two, fastest] = ([0, 1, 2, 3] as const).map((level) =>
          firstAudioMs(replies, level, 1000 / rate),
        ) as [number, number, number, number];
        const share = (ms: number) => (slowest - ms) / (slowest - fastest);
        // Half and three quarters, as near as one rule comes on first sentences of 57 to 155 characters.
        expect(Math.abs(share(one) - 0.5)).toBeLessThan(0.3);
        expect(Math.abs(share(two) - 0.75)).toBeLessThan(0.15);
      },
    );

    it('begin as early as can be at level 3, and alike at level 4', () => {
      expect(firstAudioMs(replies, 3, 20)).toBeLessThan(120);
      expect(firstAudioMs(replies, 4, 20)).toBe(firstAudioMs(replies, 3, 20));
    });

    it('wait for one whole sentence at level 0', () => {
      for (const reply of replies) expect(firstChunk(reply, 0).text).toMatch(/[.?!]$/);
    });
  });

  it('0 waits for a whole sentence', () => {
    for (const sentence of agentSentences) {
      const chunker = new Chunker(policyForLevel(0), 'en');
      const chunks = [...pushAll(chunker, sentence), ...chunker.flush()];
      expect(chunks.map((chunk) => chunk.text)).toEqual([sentence]);
    }
  });
});
