import { isDeepStrictEqual } from 'node:util';
import { SpeechError } from '../../domain/errors.ts';
import type { ContextSettings } from './messages.ts';

/** What each setting is called on the wire, for errors. */
const WIRE_NAMES: Readonly<Record<keyof ContextSettings, string>> = {
  voices: 'voices',
  voiceSettings: 'voice_settings',
  chunkLengthSchedule: 'generation_config',
  dictionaries: 'pronunciation_dictionary_locators',
};

/** What a context opens with. Its voice may still be changed, until it speaks. */
export interface OpeningSettings extends ContextSettings {
  /** Fixes the settings of the voice too, and returns them. */
  readonly settleVoice: () => ContextSettings['voiceSettings'];
}

/**
 * Settings that a client may send, repeat and complete: those of the voice until the first chunk is
 * cut, the others, by which text is cut and read, until the first text. Clients repeat them in every
 * frame; a keep-alive may come before them.
 */
export class SettledSettings {
  #current: ContextSettings = {};
  readonly #settled = new Set<keyof ContextSettings>();

  get current(): ContextSettings {
    return this.#current;
  }

  /** @throws SpeechError when they differ from those already in use. */
  offer(settings: ContextSettings): void {
    const next = { ...this.#current, ...settings };
    const changed = this.#changedIn(next);
    if (changed) {
      throw new SpeechError(
        'invalid_input_message',
        'Voice settings and generation config must be provided in the first message and then must not change. Repeat them as they were, leave them out, or open another context.',
        { param: WIRE_NAMES[changed] },
      );
    }
    this.#current = next;
  }

  #changedIn(next: ContextSettings): keyof ContextSettings | undefined {
    return [...this.#settled].find((name) => !isDeepStrictEqual(next[name], this.#current[name]));
  }

  /** Fixes the settings of text, filled up from `defaults`, and returns all. */
  open(defaults: ContextSettings): OpeningSettings {
    this.#current = { ...defaults, ...this.#current };
    this.#settled.add('voices').add('chunkLengthSchedule').add('dictionaries');
    return {
      ...this.#current,
      settleVoice: () => {
        this.#settled.add('voiceSettings');
        return this.#current.voiceSettings;
      },
    };
  }
}
