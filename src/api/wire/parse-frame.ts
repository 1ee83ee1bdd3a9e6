import { parseBoundedJson } from '../../domain/bounded-json.ts';
import { SpeechError } from '../../domain/errors.ts';

/**
 * A message of a websocket as JSON.
 * @param advice a sentence that says what to send.
 * @throws SpeechError `invalid_input_message`.
 */
export function parseFrame(message: string, advice: string): unknown {
  try {
    return parseBoundedJson(message);
  } catch (cause) {
    throw new SpeechError(
      'invalid_input_message',
      `Invalid message: it is not JSON, or nested too deep. ${advice}`,
      { cause },
    );
  }
}
