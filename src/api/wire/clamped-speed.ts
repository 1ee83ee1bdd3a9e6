import { SpeechError } from '../../domain/errors.ts';
import { SETTING_RANGES } from './voice-settings.ts';

/**
 * A pace that another vendor's request asks for: the voices here go no further than their own range.
 * @param asked as text where it comes so.
 * @param range that the vendor allows, for the error.
 * @returns undefined when none was asked for.
 * @throws SpeechError `invalid_parameters` for what is no pace.
 */
export function clampedSpeed(
  asked: string | number | null | undefined,
  range: string,
): number | undefined {
  if (asked == null) return undefined;
  const speed = Number(asked);
  if (!(speed > 0)) {
    throw new SpeechError('invalid_parameters', `speed must be a number from ${range}.`, {
      param: 'speed',
    });
  }
  const [slowest, fastest] = SETTING_RANGES.speed;
  return Math.min(Math.max(speed, slowest), fastest);
}
