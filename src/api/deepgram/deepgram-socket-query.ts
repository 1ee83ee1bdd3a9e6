import { SpeechError } from '../../domain/errors.ts';
import type { VoiceSettings } from '../../domain/voice.ts';
import type { SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import { parseConnectQuery, text } from '../stream/connect-query.ts';
import { clampedSpeed } from '../wire/clamped-speed.ts';
import { rawFormat, SPEED_RANGE } from './deepgram-formats.ts';

type RawQuery = Readonly<Record<string, unknown>>;

/** A voice agent is what text is streamed for. */
export const DEEPGRAM_SOCKET_LEVEL = 3;
/** Parameters of the route over HTTP. */
const IGNORED = ['container', 'bit_rate', 'callback'];

/** The voice that is to speak; undefined for the default one. */
export function deepgramVoice(query: RawQuery): string | undefined {
  return text(query, 'model');
}

/** @throws SpeechError that names the parameter at fault and the values it may have. */
export function deepgramRequest(query: RawQuery): SpeechRequest {
  const sampleRate = text(query, 'sample_rate');
  return {
    ...parseConnectQuery({
      optimize_streaming_latency: String(DEEPGRAM_SOCKET_LEVEL),
      ...query,
      output_format: undefined,
    }),
    format: rawFormat({
      encoding: text(query, 'encoding'),
      sampleRate: sampleRate === undefined ? undefined : wholeNumber(sampleRate),
    }),
  };
}

/** @throws SpeechError `invalid_parameters`. */
export function deepgramVoiceSettings(query: RawQuery): Partial<VoiceSettings> {
  const speed = clampedSpeed(text(query, 'speed'), SPEED_RANGE);
  return speed === undefined ? {} : { speed };
}

/** Sentences about what was asked for and is not done. */
export function deepgramWarnings(query: RawQuery): readonly string[] {
  const ignored = IGNORED.filter((name) => !['none', undefined].includes(text(query, name))).map(
    (name) => `${name} has no effect on a websocket, whose audio is raw.`,
  );
  const asked = text(query, 'speed');
  const speed = clampedSpeed(asked, SPEED_RANGE);
  if (speed === undefined || speed === Number(asked)) return ignored;
  return [
    ...ignored,
    `The voices speak at 0.7 to 1.2 times their own pace: speed ${speed} is used.`,
  ];
}

function wholeNumber(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new SpeechError('invalid_parameters', 'sample_rate must be a whole number.', {
    param: 'sample_rate',
  });
}
