import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mulaw } from '../../../src/synthesis/audio/codecs/mulaw.ts';
import { Resampler } from '../../../src/synthesis/audio/resampler.ts';
import { hear } from '../../support/hear.ts';
import { openRecogniser, type Recogniser } from '../../support/recogniser.ts';
import { wordErrorRate } from '../../support/word-errors.ts';

/** `ulaw_8000` of a Piper voice, as a telephone carries it. */
const SPEECH = readFileSync(new URL('appointment.ulaw', import.meta.url));
const SAID = 'Your appointment is on March 3rd at 3:15 pm, and the fee is $42.50.';

describe('Recogniser', () => {
  let recogniser: Recogniser;

  beforeAll(async () => {
    recogniser = await openRecogniser();
  });

  afterAll(() => recogniser.close());

  it('understands speech in the telephone band', async () => {
    expect(wordErrorRate(SAID, await hear(SPEECH))).toBeLessThanOrEqual(0.05);
  });

  it('understands it at another sample rate', async () => {
    const resampler = new Resampler(8000, 22_050);
    const samples = [...resampler.process(mulaw.decode(SPEECH)), ...resampler.flush()];
    const heard = await recogniser.transcribe(Float32Array.from(samples), 22_050);
    expect(wordErrorRate(SAID, heard)).toBeLessThanOrEqual(0.05);
  });

  it('does not hear the sentence in the same sound played backwards', async () => {
    const backwards = mulaw.decode(SPEECH).reverse();
    expect(wordErrorRate(SAID, await recogniser.transcribe(backwards, 8000))).toBeGreaterThan(0.8);
  });

  it('hears half a sentence in half a recording', async () => {
    const half = SPEECH.subarray(0, SPEECH.length / 2);
    const rate = wordErrorRate(SAID, await hear(half));
    expect(rate).toBeGreaterThan(0.3);
    expect(rate).toBeLessThan(0.7);
  });

  it('hears nothing in next to nothing', async () => {
    expect(await recogniser.transcribe(new Float32Array(100), 16_000)).toBe('');
  });
});
