import { isDeepStrictEqual } from 'node:util';
import { SpeechError } from '../domain/errors.ts';
import type { ContextSettings } from './messages.ts';

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
    if (this.#settled && !isDeepStrictEqual(next, this.#current)) {
      throw new SpeechError(
        'invalid_input_message',
        'Voice settings and generation config must be provided in the first message and then must not change. Repeat them as they were, leave them out, or open another context.',
        { param: 'voice_settings' },
      );
    }
    this.#current = next;
  }

  /** Fixes the settings, filled up from `defaults`, and returns them. */
  settle(defaults: ContextSettings): ContextSettings {
    this.#current = { ...defaults, ...this.#current };
    this.#settled = true;
    return this.#current;
  }
}
