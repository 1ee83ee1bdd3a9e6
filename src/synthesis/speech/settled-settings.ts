import { isDeepStrictEqual } from 'node:util';
import { SpeechError } from '../../domain/errors.ts';
import type { ContextSettings } from './messages.ts';

/** What each setting is called on the wire, for errors. */
const WIRE_NAMES: Readonly<Record<keyof ContextSettings, string>> = {
  voiceSettings: 'voice_settings',
  chunkLengthSchedule: 'generation_config',
  dictionaries: 'pronunciation_dictionary_locators',
};

/**
 * Settings that a client may send, repeat and complete until the first text is spoken with them.
 * Clients repeat them in every frame; a keep-alive may come before them.
 */
export class SettledSettings {
  #current: ContextSettings = {};
  #settled = false;

  get current(): ContextSettings {
    return this.#current;
  }

  /** @throws SpeechError when they differ from those already in use. */
  offer(settings: ContextSettings): void {
    const next = { ...this.#current, ...settings };
    const changed = this.#settled && this.#changedIn(next);
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
    const names = Object.keys(WIRE_NAMES) as Array<keyof ContextSettings>;
    return names.find((name) => !isDeepStrictEqual(next[name], this.#current[name]));
  }

  /** Fixes the settings, filled up from `defaults`, and returns them. */
  settle(defaults: ContextSettings): ContextSettings {
    this.#current = { ...defaults, ...this.#current };
    this.#settled = true;
    return this.#current;
  }
}
