import type { SpeechCommand, SpeechEvent } from '../../synthesis/speech/messages.ts';
import type { Dialect } from '../websocket/dialect.ts';
import { deepgramErrorName } from './deepgram-errors.ts';
import { parseDeepgramMessage, writeReply } from './deepgram-frames.ts';

/** A connection speaks one text after another. */
const CONTEXT = 'speak';

/** The websocket dialect of `/v1/speak`, of one connection: it numbers its replies. */
export class DeepgramDialect implements Dialect {
  readonly #requestId: string;
  #nextSequenceId = 0;

  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  decode(message: string): readonly SpeechCommand[] {
    const frame = parseDeepgramMessage(message);
    switch (frame.type) {
      case 'Speak':
        return [{ type: 'text', contextId: CONTEXT, text: frame.text, trigger: false }];
      case 'Flush':
        return [{ type: 'flush', contextId: CONTEXT }];
      case 'Clear':
        return [{ type: 'clear', contextId: CONTEXT }];
      case 'Close':
        return [{ type: 'session-end' }];
      case 'KeepAlive':
        return [{ type: 'keep-alive' }];
    }
  }

  contextOf(): undefined {
    return undefined;
  }

  encode(event: SpeechEvent): string | Uint8Array | undefined {
    switch (event.type) {
      case 'audio-frame':
        return event.audio;
      case 'flushed':
        return writeReply({ type: 'Flushed', sequence_id: this.#nextSequenceId++ });
      case 'cleared':
        return writeReply({ type: 'Cleared', sequence_id: this.#nextSequenceId++ });
      case 'context-end':
        return undefined;
      case 'error':
        return writeReply({
          type: 'Error',
          code: deepgramErrorName(event.error.code),
          description: event.error.message,
          request_id: this.#requestId,
        });
    }
  }
}
