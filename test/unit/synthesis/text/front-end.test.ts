import { describe, expect, it } from 'vitest';
import { FrontEnd } from '../../../../src/synthesis/text/front-end.ts';
import { normaliserFor } from '../../../../src/synthesis/text/normaliser/registry.ts';
import { LetterPhonemiser } from '../../../support/letter-phonemiser.ts';

const frontEnd = new FrontEnd(new LetterPhonemiser(), normaliserFor);
const english = { language: 'en', espeakVoice: 'en-us', normalise: true };
const signal = new AbortController().signal;

describe('FrontEnd', () => {
  it('has the normalised text pronounced, and keeps the way back', async () => {
    const { pronunciation, map } = await frontEnd.prepare('Pay $5.', english, signal);
    expect(map).toMatchObject({ original: 'Pay $5.', spoken: pronunciation.spoken });
    expect(pronunciation.spoken).toBe('Pay five dollars.');
    expect(pronunciation.symbols.join('')).toBe(pronunciation.spoken);
  });

  it.each([
    ['without the wish', { ...english, normalise: false }],
    ['without a normaliser', { ...english, language: 'xx' }],
  ])('speaks text as it is written %s', async (_, style) => {
    const { map } = await frontEnd.prepare('Pay $5.', style, signal);
    expect(map).toEqual({
      original: 'Pay $5.',
      spoken: 'Pay $5.',
      segments: [{ originalStart: 0, originalEnd: 7, spokenStart: 0, spokenEnd: 7 }],
    });
  });

  it('maps nothing to nothing', async () => {
    const { map, pronunciation } = await frontEnd.prepare(
      '',
      { ...english, normalise: false },
      signal,
    );
    expect(map.segments).toEqual([]);
    expect(pronunciation.symbols).toEqual([]);
  });

  it('stops with its signal', async () => {
    const stopped = AbortSignal.abort(new Error('stop'));
    await expect(frontEnd.prepare('Hi', english, stopped)).rejects.toThrow('stop');
  });
});
