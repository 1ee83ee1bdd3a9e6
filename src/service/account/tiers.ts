import { TIERS, type Tier } from '../../domain/account.ts';
import type { OutputFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';

/** What a tier allows. The operator may give an account other numbers of its own. */
export interface TierLimits {
  readonly charactersAMonth: number;
  /** Requests at once, for models of the standard group. */
  readonly concurrency: number;
  /** Voices that the account may add. */
  readonly voices: number;
  /** Of the recordings that voices are made of, all together. */
  readonly recordingMebibytes: number;
}

/** Concurrency as in PROTOCOL §3.2; characters and voices as the original's public price list. */
export const TIER_LIMITS: Readonly<Record<Tier, TierLimits>> = {
  free: { charactersAMonth: 10_000, concurrency: 2, voices: 3, recordingMebibytes: 100 },
  starter: { charactersAMonth: 30_000, concurrency: 3, voices: 10, recordingMebibytes: 300 },
  creator: { charactersAMonth: 100_000, concurrency: 5, voices: 30, recordingMebibytes: 1000 },
  pro: { charactersAMonth: 500_000, concurrency: 10, voices: 160, recordingMebibytes: 4000 },
  scale: { charactersAMonth: 2_000_000, concurrency: 15, voices: 660, recordingMebibytes: 10_000 },
  business: {
    charactersAMonth: 11_000_000,
    concurrency: 15,
    voices: 660,
    recordingMebibytes: 10_000,
  },
};

/** @throws SpeechError `output_format_not_allowed` that names the tier which has the format. */
export function assertFormatAllowed(caller: { readonly tier: Tier }, format: OutputFormat): void {
  const needed = format.minimumTier;
  if (TIERS.indexOf(caller.tier) >= TIERS.indexOf(needed)) return;
  throw new SpeechError(
    'output_format_not_allowed',
    `The output_format "${format.name}" needs the ${needed} tier or above, and this account is on ${caller.tier}. Choose another format, or ask for a larger tier.`,
    { param: 'output_format' },
  );
}
