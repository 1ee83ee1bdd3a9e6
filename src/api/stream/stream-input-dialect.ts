import type { SpeechCommand } from '../../synthesis/speech/messages.ts';
import type { Dialect } from '../websocket/dialect.ts';
import { type ClientFrame, frameCredentials, frameSettings, parseClientFrame } from './frames.ts';
import { audioFields, errorFrame, traceFields } from './server-frames.ts';

/** `stream-input` speaks one utterance after another on the connection itself. */
const CONTEXT = 'stream';

/** The single-context websocket dialect, `/v1/text-to-speech/{voice_id}/stream-input`. */
export const streamInputDialect: Dialect = {
  decode(message) {
    return [...decodeFrame(parseClientFrame(message))];
  },
  contextOf: () => undefined,
  encode(event, traceId) {
    const trace = traceFields(traceId);
    switch (event.type) {
      case 'audio-frame':
        return JSON.stringify({ ...audioFields(event), isFinal: null, ...trace });
      case 'context-end':
        // Vocode skips any frame without the word "audio" in it.
        return JSON.stringify({
          audio: null,
          isFinal: true,
          alignment: null,
          normalizedAlignment: null,
          ...trace,
        });
      case 'flushed':
      case 'cleared':
        return undefined;
      case 'error':
        return JSON.stringify({ ...errorFrame(event.error), ...trace });
    }
  },
};

function* decodeFrame(frame: ClientFrame): Generator<SpeechCommand> {
  yield* frameCredentials(frame);
  const settings = frameSettings(frame);
  if (settings) yield { type: 'configure', contextId: CONTEXT, settings };
  const { text, flush } = frame;
  if (text) {
    const trigger = frame.try_trigger_generation ?? false;
    yield { type: 'text', contextId: CONTEXT, text, trigger };
  }
  if (flush) {
    yield { type: 'flush', contextId: CONTEXT };
  } else if (text === '') {
    yield { type: 'context-close', contextId: CONTEXT };
    yield { type: 'session-end' };
  }
}
