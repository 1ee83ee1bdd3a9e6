import { describe, expect, it } from 'vitest';
import { TIERS } from '../../../../src/domain/account.ts';
import { OUTPUT_FORMATS, parseOutputFormat } from '../../../../src/domain/audio.ts';
import { assertFormatAllowed, TIER_LIMITS } from '../../../../src/service/account/tiers.ts';

describe('tiers', () => {
  it('never allow less than a smaller one', () => {
    for (const limit of ['charactersAMonth', 'concurrency', 'voices'] as const) {
      const numbers = TIERS.map((tier) => TIER_LIMITS[tier][limit]);
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
  });

  it.each([
    ['mp3_44100_192', 'starter', 'creator'],
    ['pcm_44100', 'creator', 'pro'],
    ['wav_44100', 'creator', 'pro'],
  ] as const)('%s is refused to %s and given to %s', (name, tooSmall, enough) => {
    const format = parseOutputFormat(name);
    expect(() => assertFormatAllowed({ tier: enough }, format)).not.toThrow();
    expect(() => assertFormatAllowed({ tier: 'business' }, format)).not.toThrow();
    expect(() => assertFormatAllowed({ tier: tooSmall }, format)).toThrow(
      expect.objectContaining({
        code: 'output_format_not_allowed',
        param: 'output_format',
        message: expect.stringContaining(enough),
      }),
    );
  });

  it('leave every other format to everybody, and the largest leaves none out', () => {
    for (const format of OUTPUT_FORMATS) {
      expect(() => assertFormatAllowed({ tier: 'business' }, format)).not.toThrow();
      if (format.minimumTier !== 'free') continue;
      expect(() => assertFormatAllowed({ tier: 'free' }, format)).not.toThrow();
    }
  });
});
