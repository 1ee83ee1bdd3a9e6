import type { SpeechCommand } from '../../synthesis/speech/messages.ts';
import type { Dialect } from '../websocket/dialect.ts';
import { jambonzError, parseJambonzMessage } from './jambonz-frames.ts';

/** A call hears one voice at a time. After a `stop`, the next text starts the context anew. */
const CONTEXT = 'call';

/**
 * The websocket dialect of jambonz's custom TTS streaming, `/v1/text-to-speech/{voice_id}/jambonz`.
 * Audio is binary, so that it can say neither what it belongs to nor that it is the last: after a
 * `stop`, not one message of what was being said may follow.
 */
export const jambonzDialect: Dialect = {
  decode(message) {
    return [...decodeMessage(message)];
  },
  contextOf: () => undefined,
  encode(event, traceId) {
    switch (event.type) {
      case 'audio-frame':
        return event.audio;
      case 'context-end':
      case 'flushed':
      case 'cleared':
        return undefined;
      case 'error':
        return jambonzError(event.error, traceId);
    }
  },
};

function* decodeMessage(message: string): Generator<SpeechCommand> {
  const { type, text } = parseJambonzMessage(message);
  switch (type) {
    case 'stream':
      if (text) yield { type: 'text', contextId: CONTEXT, text: spaced(text), trigger: false };
      return;
    case 'flush':
      yield { type: 'flush', contextId: CONTEXT };
      return;
    case 'stop':
      yield { type: 'context-close', contextId: CONTEXT, isImmediate: true };
      return;
    default:
      yield { type: 'keep-alive' };
  }
}

/** jambonz cuts text between words, and its media server trims what it passes on. */
function spaced(text: string): string {
  return /\s$/.test(text) ? text : `${text} `;
}
