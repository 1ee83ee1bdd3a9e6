import type { Caller } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { ConfiguredVoice } from '../../domain/voice.ts';
import type { AccountVoices } from '../../service/voices/known-voice.ts';
import type { RestSpeechServices } from '../rest-speech/speech-services.ts';

/** OpenAI's voices, which the table of aliases gives to voices here. */
export const OPENAI_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
] as const;

/**
 * A voice by its id, by OpenAI's name, or by the name that it is listed with, the latter two in any case.
 * @throws SpeechError `voice_id_does_not_exist`, `voice_not_prepared`.
 */
export async function findNamedVoice(
  findVoice: RestSpeechServices['speech']['findVoice'],
  voices: AccountVoices,
  caller: Caller,
  asked: string | undefined,
): Promise<ConfiguredVoice> {
  const name = asked?.toLowerCase();
  if (asked === undefined || name === undefined) return findVoice(caller);
  try {
    const isOpenAis = OPENAI_VOICES.some((known) => known === name);
    return await findVoice(caller, isOpenAis ? name : asked);
  } catch (thrown) {
    if (!(thrown instanceof SpeechError) || thrown.code !== 'voice_id_does_not_exist') throw thrown;
    const listed = await voices.list(caller.accountId);
    const voice = listed.find((known) => known.name.toLowerCase() === name);
    if (voice) return findVoice(caller, voice.voiceId);
    throw new SpeechError(
      'voice_id_does_not_exist',
      `There is no voice "${asked}". Use ${OPENAI_VOICES.join(', ')}, or a voice of GET /v1/audio/voices.`,
      { param: 'voice_id', cause: thrown },
    );
  }
}
