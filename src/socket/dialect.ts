import type { SpeechCommand, SpeechEvent } from '../speech/messages.ts';

/** One wire language of a connection: pure, synchronous, knows no socket. */
export interface Dialect {
  /** @throws SpeechError `invalid_input_message` that says what is wrong with the message. */
  decode(message: string): readonly SpeechCommand[];
  encode(event: SpeechEvent): string;
}
