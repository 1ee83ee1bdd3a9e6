import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LatencyLevel, policyForLevel } from '../../../../src/synthesis/text/chunk-policy.ts';
import { Chunker } from '../../../../src/synthesis/text/chunker.ts';
import { pushAll } from '../../../support/cut-text.ts';

/** A language model writes 50 tokens a second. */
const TOKEN_MS = 20;
/**
 * What first audio costs once a chunk is there, by `bench/engine/rtf.ts`: 14 ms for 15 characters,
 * 32 for 75. Levels 0 and 1 begin with larger windows. Replace by newer figures when retuning.
 */
const FIRST_AUDIO_MS = 11;
const FIRST_AUDIO_MS_PER_CHAR = 0.28;
const LARGER_WINDOW_MS: Readonly<Record<LatencyLevel, number>> = { 0: 18, 1: 3, 2: 0, 3: 0, 4: 0 };
/** Short words with the space before them, halves of long ones, digit groups, marks. */
const TOKEN = / ?\p{L}{1,8}|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu;

const sentences = readFileSync(
  new URL('../../../fixtures/text/agent-sentences.txt', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n');

/** Time from a sentence's first token to its first audio. */
function firstAudioMs(sentence: string, level: LatencyLevel): number {
  const chunker = new Chunker(policyForLevel(level), 'en');
  const tokens = sentence.match(TOKEN) ?? [];
  const isLast = (index: number) => index === tokens.length - 1;
  for (const [index, token] of tokens.entries()) {
    const chunks = [...pushAll(chunker, token), ...(isLast(index) ? chunker.flush() : [])];
    const [first] = chunks;
    if (first === undefined) continue;
    const synthesisMs = FIRST_AUDIO_MS + first.text.length * FIRST_AUDIO_MS_PER_CHAR;
    return index * TOKEN_MS + synthesisMs + LARGER_WINDOW_MS[level];
  }
  throw new Error(`level ${level} speaks nothing of "${sentence}"`);
}

function medianFirstAudioMs(level: LatencyLevel): number {
  const times = sentences.map((sentence) => firstAudioMs(sentence, level)).sort((a, b) => a - b);
  const middle = times.slice(Math.floor((times.length - 1) / 2), Math.floor(times.length / 2) + 1);
  return middle.reduce((sum, time) => sum + time, 0) / middle.length;
}

describe('latency levels', () => {
  const t0 = medianFirstAudioMs(0);
  const gain = t0 - medianFirstAudioMs(3);

  it('are tuned to tokens of about four characters', () => {
    const tokens = sentences.flatMap((sentence) => sentence.match(TOKEN) ?? []);
    expect(tokens.join('')).toBe(sentences.join(''));
    expect(tokens.join('').length / tokens.length).toBeCloseTo(4, 0);
  });

  it('1 gives about half of the gain of level 3', () => {
    expect(Math.abs((t0 - medianFirstAudioMs(1)) / gain - 0.5)).toBeLessThan(0.05);
  });

  it('2 gives about three quarters of the gain of level 3', () => {
    expect(Math.abs((t0 - medianFirstAudioMs(2)) / gain - 0.75)).toBeLessThan(0.05);
  });

  it('4 chunks like level 3, which speaks within a quarter of a second', () => {
    expect(medianFirstAudioMs(4)).toBe(medianFirstAudioMs(3));
    expect(medianFirstAudioMs(3)).toBeLessThan(250);
  });

  it('0 waits for a whole sentence', () => {
    for (const sentence of sentences) {
      const chunker = new Chunker(policyForLevel(0), 'en');
      const chunks = [...pushAll(chunker, sentence), ...chunker.flush()];
      expect(chunks.map((chunk) => chunk.text)).toEqual([sentence]);
    }
  });
});
