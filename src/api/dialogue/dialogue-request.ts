import type { OutputFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import { EXPRESSIVE_MODEL_ID } from '../../domain/model.ts';
import type { WireSpeechQuery } from '../rest-speech/speech-schemas.ts';
import { type RestSpeechRequest, readTextRequest } from '../rest-speech/text-request.ts';
import { MAX_DIALOGUE_VOICES } from './dialogue-frame-schemas.ts';
import type { WireDialogueBody } from './dialogue-schemas.ts';

/**
 * Checks a dialogue as the text that all its lines are together; its limits are those of a text.
 * @throws as `readTextRequest`; SpeechError `invalid_parameters` for too many voices.
 */
export function readDialogueRequest(
  { inputs, settings, ...body }: WireDialogueBody,
  query: WireSpeechQuery,
  admitFormat: (format: OutputFormat) => void,
): RestSpeechRequest {
  const lines = inputs.map(({ text }) => text);
  const request = readTextRequest(
    {
      ...body,
      text: lines.join(''),
      model_id: body.model_id ?? EXPRESSIVE_MODEL_ID,
      voice_settings: {
        stability: settings?.stability ?? null,
        similarity_boost: settings?.similarity ?? null,
      },
    },
    query,
    admitFormat,
  );
  assertFewVoices(inputs);
  return { ...request, text: lines.join('\n'), hasAudioTags: true };
}

function assertFewVoices(inputs: WireDialogueBody['inputs']): void {
  const { size } = new Set(inputs.map(({ voice_id }) => voice_id));
  if (size <= MAX_DIALOGUE_VOICES) return;
  throw new SpeechError(
    'invalid_parameters',
    `The dialogue has ${size} voices; at most ${MAX_DIALOGUE_VOICES} are allowed.`,
    { param: 'inputs' },
  );
}
