import type { SpeechCommand } from '../../synthesis/speech/messages.ts';
import type { Dialect } from '../websocket/dialect.ts';
import {
  type ClientFrame,
  frameCredentials,
  frameSettings,
  namedContext,
  parseClientFrame,
} from './frames.ts';
import { audioFields, errorFrame, traceFields } from './server-frames.ts';

/** Text that names no context belongs to this one. */
const UNNAMED_CONTEXT = 'default';

/** The websocket dialect of many contexts, `/v1/text-to-speech/{voice_id}/multi-stream-input`. */
export const multiStreamDialect: Dialect = {
  decode(message) {
    return [...decodeFrame(parseClientFrame(message))];
  },
  contextOf: namedContext,
  encode(event, traceId) {
    const trace = traceFields(traceId);
    switch (event.type) {
      case 'audio-frame':
        return JSON.stringify({
          ...audioFields(event),
          ...contextFields(event.contextId),
          ...trace,
        });
      case 'context-end':
        return JSON.stringify({
          audio: null,
          isFinal: true,
          ...contextFields(event.contextId),
          ...trace,
        });
      case 'flushed':
      case 'cleared':
        return undefined;
      case 'error':
        return JSON.stringify({
          ...errorFrame(event.error),
          ...(event.contextId !== undefined && contextFields(event.contextId)),
          ...trace,
        });
    }
  },
};

/** Clients read one spelling or the other; with only the wrong one some play nothing. */
function contextFields(contextId: string) {
  return { contextId, context_id: contextId };
}

function* decodeFrame(frame: ClientFrame): Generator<SpeechCommand> {
  yield* frameCredentials(frame);
  const named = frame.context_id ?? frame.contextId ?? undefined;
  const settings = frameSettings(frame);
  if (settings)
    yield { type: 'configure', ...(named !== undefined && { contextId: named }), settings };
  yield* decodeSpeech(frame, named);
  if (frame.close_socket) yield { type: 'session-end' };
}

function* decodeSpeech(frame: ClientFrame, named: string | undefined): Generator<SpeechCommand> {
  const { text, flush, close_context: close } = frame;
  const contextId = named ?? UNNAMED_CONTEXT;
  // A blank without a context is how some clients open the connection: it must start no context.
  if (text && (named !== undefined || text.trim() !== '')) {
    yield { type: 'text', contextId, text, trigger: frame.try_trigger_generation ?? false };
  } else if (!flush && !close) {
    yield { type: 'keep-alive', ...(named !== undefined && { contextId: named }) };
  }
  if (flush) yield { type: 'flush', contextId };
  if (close) yield { type: 'context-close', contextId };
}
