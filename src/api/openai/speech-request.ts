import { type RestSpeechRequest, readTextRequest } from '../rest-speech/text-request.ts';
import { readResponseFormat, type WireOpenAiSpeech } from './speech-schema.ts';

/** Beyond, words are lost and hardly any time is saved: a phoneme takes one decoder frame at least. */
const FASTEST = 2.5;

/**
 * What a client of OpenAI's asks for, as every request to speak is.
 * @throws SpeechError of `readTextRequest`, and of a format that there is not.
 */
export function readOpenAiRequest(
  body: WireOpenAiSpeech,
  admitFormat: Parameters<typeof readTextRequest>[2],
): RestSpeechRequest {
  const { input, model = null, seed = null, speed, optimize_streaming_latency = null } = body;
  const format = readResponseFormat(body.response_format);
  const request = readTextRequest(
    { text: input, model_id: model, seed, optimize_streaming_latency },
    { output_format: format.name },
    admitFormat,
  );
  if (speed == null) return request;
  return { ...request, voiceSettings: { speed: Math.min(FASTEST, speed) } };
}

/** The voice that is named, if one is. */
export function namedVoice({ voice }: WireOpenAiSpeech): string | undefined {
  const name = typeof voice === 'string' ? voice : voice?.id;
  return name || undefined;
}
