import type { CarrierMessage } from '../../domain/carrier.ts';
import type { CallStart, CarrierDialect, CarrierEvent } from '../calls/carrier.ts';
import { SECRET_NAMES } from './call-parameters.ts';

/** What a stream was let in with, among its own parameters. */
export interface StreamCredentials {
  readonly token: string | undefined;
  readonly apiKey: string | undefined;
}

const TOKEN_NAMES: ReadonlySet<string> = new Set(['token', 'single_use_token']);

/**
 * A dialect that keeps tokens and keys to itself: they come among the parameters of a stream, which
 * bots and webhooks are told.
 */
export class WithheldCredentials implements CarrierDialect {
  readonly #dialect: CarrierDialect;
  #credentials: StreamCredentials = { token: undefined, apiKey: undefined };

  constructor(dialect: CarrierDialect) {
    this.#dialect = dialect;
  }

  /** Empty until the stream has started. */
  get credentials(): StreamCredentials {
    return this.#credentials;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    return this.#dialect
      .receive(message)
      .map((event) =>
        event.type === 'start' ? { type: 'start', start: this.#withhold(event.start) } : event,
      );
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    return this.#dialect.play(units);
  }

  clear(): readonly CarrierMessage[] {
    return this.#dialect.clear();
  }

  mark(name: string): readonly CarrierMessage[] {
    return this.#dialect.mark(name);
  }

  done(): readonly CarrierMessage[] {
    return this.#dialect.done();
  }

  hangUp(): readonly CarrierMessage[] {
    return this.#dialect.hangUp();
  }

  #withhold(start: CallStart): CallStart {
    const entries = Object.entries(start.parameters);
    const secret = entries.filter(([name]) => SECRET_NAMES.has(name.toLowerCase()));
    const isToken = ([name]: readonly [string, string]) => TOKEN_NAMES.has(name.toLowerCase());
    this.#credentials = {
      token: secret.find(isToken)?.[1],
      apiKey: secret.find((entry) => !isToken(entry))?.[1].replace(/^Bearer\s+/i, ''),
    };
    const told = entries.filter(([name]) => !SECRET_NAMES.has(name.toLowerCase()));
    return { ...start, parameters: Object.fromEntries(told) };
  }
}
