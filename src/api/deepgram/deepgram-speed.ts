import { SpeechError } from '../../domain/errors.ts';
import { SETTING_RANGES } from '../wire/voice-settings.ts';

/**
 * The pace that a request asks for; the voices here go no further than their own range.
 * @param asked of 0.7–1.5; as text where it comes so.
 * @returns undefined when none was asked for.
 * @throws SpeechError `invalid_parameters` for what is no number.
 */
export function deepgramSpeed(asked: string | number | null | undefined): number | undefined {
  if (asked == null) return undefined;
  const speed = Number(asked);
  if (!(speed > 0)) {
    throw new SpeechError('invalid_parameters', 'speed must be a number from 0.7 to 1.5.', {
      param: 'speed',
    });
  }
  const [slowest, fastest] = SETTING_RANGES.speed;
  return Math.min(Math.max(speed, slowest), fastest);
}
