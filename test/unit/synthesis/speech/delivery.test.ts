import { describe, expect, it } from 'vitest';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { deliveryOf } from '../../../../src/synthesis/speech/delivery.ts';

describe('deliveryOf', () => {
  it('leaves the voice as it was trained at the default settings', () => {
    expect(deliveryOf(DEFAULT_VOICE_SETTINGS)).toEqual({ variation: 1, rhythm: 1, pace: 1 });
  });

  it('varies more as stability falls or style rises, rhythm more than timbre', () => {
    const loose = deliveryOf({ ...DEFAULT_VOICE_SETTINGS, stability: 0 });
    const firm = deliveryOf({ ...DEFAULT_VOICE_SETTINGS, stability: 1 });
    const lively = deliveryOf({ ...DEFAULT_VOICE_SETTINGS, style: 1 });
    expect(loose.variation).toBeGreaterThan(1);
    expect(firm.variation).toBeLessThan(1);
    expect(lively.rhythm - 1).toBeGreaterThan(lively.variation - 1);
  });

  it('takes speed as pace', () => {
    expect(deliveryOf({ ...DEFAULT_VOICE_SETTINGS, speed: 1.2 }).pace).toBe(1.2);
  });
});
