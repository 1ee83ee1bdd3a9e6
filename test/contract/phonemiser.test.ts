import { describe, expect, it } from 'vitest';
import { EspeakPhonemiser } from '../../src/synthesis/phonemes/espeak-phonemiser.ts';
import { EspeakThread } from '../../src/synthesis/phonemes/espeak-thread.ts';
import { phonemiserContract } from './phonemiser-contract.ts';

phonemiserContract('espeak-ng', () => new EspeakPhonemiser());

describe('espeak-ng in its thread', () => {
  it('answers what was asked before it was killed', async () => {
    const thread = new EspeakThread();
    const phonemiser = new EspeakPhonemiser(thread);
    const signal = new AbortController().signal;
    await phonemiser.pronounce('Hi.', 'en-us', signal);
    const texts = Array.from(
      { length: 20 },
      (_, index) => `This is line ${index}, and the end of it.`,
    );
    const answers = texts.map((text) => phonemiser.pronounce(text, 'en-us', signal));
    await thread.kill();
    for (const answer of answers) {
      expect((await answer).symbols.join('')).toMatch(/^ðɪs ɪz lˈaɪn .+, ænd ðɪ ˈɛnd ʌv ɪt\.$/u);
    }
    await phonemiser.close();
  });
});
