import type { OutputFormat } from '../../domain/audio.ts';
import { type RestSpeechRequest, readTextRequestIn } from '../rest-speech/text-request.ts';
import { readResponseFormat, type WireOpenAiSpeech } from './speech-schema.ts';

/** Beyond, words are lost and hardly any time is saved: a phoneme takes one decoder frame at least. */
const FASTEST = 2.5;

/**
 * What a client of OpenAI's asks for, as every request to speak is.
 * @throws SpeechError of `readTextRequestIn`, of a format that there is not, and of `admitFormat`.
 */
export function readOpenAiRequest(
  body: WireOpenAiSpeech,
  admitFormat: (format: OutputFormat) => void,
): RestSpeechRequest {
  const { input, model = null, seed = null, speed, optimize_streaming_latency = null } = body;
  const format = readResponseFormat(body.response_format);
  admitFormat(format);
  const request = readTextRequestIn(format, {
    text: input,
    model_id: model,
    seed,
    optimize_streaming_latency,
  });
  if (speed == null) return request;
  return { ...request, voiceSettings: { speed: Math.min(FASTEST, speed) } };
}

/** The voice that is named, if one is. */
export function namedVoice({ voice }: WireOpenAiSpeech): string | undefined {
  const name = typeof voice === 'string' ? voice : voice?.id;
  return name || undefined;
}
