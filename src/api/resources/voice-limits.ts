import type { Caller } from '../../domain/account.ts';
import { TIER_LIMITS } from '../../service/account/tiers.ts';

/** Recordings that one voice can have. */
export const MAX_SAMPLES = 25;

/** What a caller's account may have of voices and their recordings. */
export function voiceLimitsOf({ tier }: Caller) {
  const { voices, recordingMebibytes } = TIER_LIMITS[tier];
  return { voices, samples: MAX_SAMPLES, sampleBytes: recordingMebibytes * 2 ** 20 };
}
