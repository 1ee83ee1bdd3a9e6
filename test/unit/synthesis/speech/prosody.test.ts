import { describe, expect, it } from 'vitest';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { prosodyOf } from '../../../../src/synthesis/speech/prosody.ts';

describe('prosodyOf', () => {
  it('leaves the voice as it was trained at the default settings', () => {
    expect(prosodyOf(DEFAULT_VOICE_SETTINGS)).toEqual({ variation: 1, rhythm: 1, pace: 1 });
  });

  it('varies more as stability falls or style rises, rhythm more than timbre', () => {
    const loose = prosodyOf({ ...DEFAULT_VOICE_SETTINGS, stability: 0 });
    const firm = prosodyOf({ ...DEFAULT_VOICE_SETTINGS, stability: 1 });
    const lively = prosodyOf({ ...DEFAULT_VOICE_SETTINGS, style: 1 });
    expect(loose.variation).toBeGreaterThan(1);
    expect(firm.variation).toBeLessThan(1);
    expect(lively.rhythm - 1).toBeGreaterThan(lively.variation - 1);
  });

  it('takes speed as pace', () => {
    expect(prosodyOf({ ...DEFAULT_VOICE_SETTINGS, speed: 1.2 }).pace).toBe(1.2);
  });
});
