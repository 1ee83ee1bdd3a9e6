import { SpeechError } from '../../domain/errors.ts';
import type { ConfiguredVoice } from '../../domain/voice.ts';

/** The voices of a dialogue, looked up together: nobody speaks before all of them are found. */
export class RegisteredVoices {
  readonly #voices: ReadonlyMap<string, Promise<ConfiguredVoice>>;
  readonly #allFound: Promise<unknown>;

  constructor(
    voiceIds: readonly string[],
    findVoice: (voiceId: string) => Promise<ConfiguredVoice>,
  ) {
    this.#voices = new Map(voiceIds.map((voiceId) => [voiceId, findVoice(voiceId)]));
    this.#allFound = Promise.all(this.#voices.values());
    // Whoever asks for a voice is told; until then a failure must not count as unhandled.
    this.#allFound.catch(() => undefined);
  }

  /**
   * @returns a promise that rejects with what the look-up of any of the voices threw.
   * @throws SpeechError `invalid_input_message` when the voice was not registered.
   */
  find(voiceId: string): Promise<ConfiguredVoice> {
    const voice = this.#voices.get(voiceId);
    if (!voice) throw notRegistered(voiceId);
    return this.#allFound.then(() => voice);
  }
}

function notRegistered(voiceId: string): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `"${voiceId}" is not among the voices of this context. Name all of them in its first message, as {"voices":["…"]}.`,
    { param: 'inputs.voice_id' },
  );
}
