import type { SpeechError } from '../../domain/errors.ts';
import type { Voicing } from '../../synthesis/speech/context.ts';
import type { ContextSettings, SpeechCommand } from '../../synthesis/speech/messages.ts';
import { Session } from '../../synthesis/speech/session.ts';

export interface LastingSessionPorts {
  readonly beginSpeech: (contextId: string, settings: ContextSettings) => Voicing;
  /** The context has been spoken to its end. */
  readonly onSpoken: (contextId: string) => void;
  /** All contexts are lost; a new session speaks what comes next. The one at fault, where one is. */
  readonly onFailed: (error: SpeechError, contextId: string | undefined) => void;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** A session that an error does not end: what fails on a call must not end the call. */
export class LastingSession {
  readonly #ports: LastingSessionPorts;
  #defaults: ContextSettings = {};
  #session: Session;

  constructor(ports: LastingSessionPorts) {
    this.#ports = ports;
    this.#session = this.#open();
  }

  /** See `Session.isCrowded`. */
  get isCrowded(): boolean {
    return this.#session.isCrowded;
  }

  isBusy(contextId: string): boolean {
    return this.#session.isBusy(contextId);
  }

  send(command: SpeechCommand): void {
    if (command.type === 'configure' && command.contextId === undefined) {
      this.#defaults = { ...this.#defaults, ...command.settings };
    }
    this.#session.receive([command]);
  }

  close(): void {
    this.#session.close();
  }

  #open(): Session {
    return new Session({
      // Whoever pays for the call was asked before it began.
      admit: async () => undefined,
      beginSpeech: this.#ports.beginSpeech,
      emit: (event) => {
        if (event.type === 'context-end') this.#ports.onSpoken(event.contextId);
        else if (event.type === 'error') this.#renew(event.error, event.contextId);
      },
      onEnd: () => undefined,
      now: this.#ports.now,
    });
  }

  #renew(error: SpeechError, contextId: string | undefined): void {
    this.#session = this.#open();
    this.#session.receive([{ type: 'configure', settings: this.#defaults }]);
    this.#ports.onFailed(error, contextId);
  }
}
