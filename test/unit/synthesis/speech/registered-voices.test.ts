import { expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { RegisteredVoices } from '../../../../src/synthesis/speech/registered-voices.ts';
import { VOICE } from '../../../support/tone-speech.ts';

const find = async (voiceId: string) => {
  if (voiceId !== 'nobody')
    return { voice: { ...VOICE, voiceId }, settings: DEFAULT_VOICE_SETTINGS };
  throw new SpeechError('voice_id_does_not_exist', 'There is no such voice.');
};

it('finds a voice that was registered', async () => {
  const voices = new RegisteredVoices(['anna', 'ben'], find);
  expect(await voices.find('ben')).toMatchObject({ voice: { voiceId: 'ben' } });
});

it('refuses one that was not, at once', () => {
  const voices = new RegisteredVoices(['anna'], find);
  expect(() => voices.find('ben')).toThrow(
    expect.objectContaining({ code: 'invalid_input_message', param: 'inputs.voice_id' }),
  );
});

it('finds none when one of them does not exist', async () => {
  const voices = new RegisteredVoices(['anna', 'nobody'], find);
  await expect(voices.find('anna')).rejects.toMatchObject({ code: 'voice_id_does_not_exist' });
});
