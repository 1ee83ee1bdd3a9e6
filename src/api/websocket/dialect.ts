import type { SpeechCommand, SpeechEvent } from '../../synthesis/speech/messages.ts';

/** One wire language of a connection: pure, synchronous, knows no socket. */
export interface Dialect {
  /** @throws SpeechError `invalid_input_message` that says what is wrong with the message. */
  decode(message: string): readonly SpeechCommand[];
  /** The context that a refused message is about, if it can still be told. */
  contextOf(message: string): string | undefined;
  /**
   * @param traceId by which the message can be found in the log; see `traceIdOf`.
   * @returns a text message, several of them, or bytes for a binary one; undefined where the language
   *   says nothing.
   */
  encode(event: SpeechEvent, traceId: string): string | readonly string[] | Uint8Array | undefined;
}
