import { SpeechError } from '../../domain/errors.ts';
import type { VoiceLimits } from '../storage/voice-store.ts';

export function tooManyVoices({ voices }: VoiceLimits): SpeechError {
  return new SpeechError(
    'voice_limit_reached',
    `Your account can add ${voices} voices. Delete one that you no longer need.`,
  );
}

export function tooManySamples({ samples }: VoiceLimits): SpeechError {
  return new SpeechError('invalid_input_message', `A voice can have ${samples} recordings.`, {
    param: 'files',
  });
}

export function tooManyRecordings({ sampleBytes }: VoiceLimits): SpeechError {
  return new SpeechError(
    'account_limit_reached',
    `The recordings of your account's voices would have more than ${sampleBytes / 2 ** 20} MiB together. Delete a voice that you no longer need.`,
    { param: 'files' },
  );
}
