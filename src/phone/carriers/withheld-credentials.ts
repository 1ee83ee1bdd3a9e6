import { isSecretName, messageCredentials } from '../../api/identity/key-places.ts';
import type { Credentials } from '../../domain/account.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import type { CallStart, CarrierDialect, CarrierEvent } from '../calls/carrier.ts';

/**
 * A dialect that keeps tokens and keys to itself: they come among the parameters of a stream, which
 * bots and webhooks are told.
 */
export class WithheldCredentials implements CarrierDialect {
  readonly #dialect: CarrierDialect;
  #credentials: Credentials = { token: undefined, key: undefined };

  constructor(dialect: CarrierDialect) {
    this.#dialect = dialect;
  }

  /** Empty until the stream has started. */
  get credentials(): Credentials {
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
    this.#credentials = messageCredentials(start.parameters);
    const told = Object.entries(start.parameters).filter(([name]) => !isSecretName(name));
    return { ...start, parameters: Object.fromEntries(told) };
  }
}
