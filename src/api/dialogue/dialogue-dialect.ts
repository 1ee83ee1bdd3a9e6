import type { SpeechCommand, SpeechEvent } from '../../synthesis/speech/messages.ts';
import { frameCredentials, namedContext } from '../stream/frames.ts';
import { audioText, errorFrame, traceFields } from '../stream/server-frames.ts';
import type { Dialect } from '../websocket/dialect.ts';
import type { DialogueFrame } from './dialogue-frame-schemas.ts';
import { dialogueSettings, parseDialogueFrame, restartedAlignment } from './dialogue-frames.ts';

/** What names no context belongs to this one. */
const UNNAMED_CONTEXT = 'dialogue';

interface DialogueOptions {
  /** Whether a connection may have several dialogues. */
  readonly hasContexts: boolean;
  /** Whether audio comes with the times of its characters. */
  readonly sendsAlignment: boolean;
}

/** The websocket dialect of dialogues: `/v1/text-to-dialogue/stream-input` and `…/multi-stream-input`. */
export class DialogueDialect implements Dialect {
  readonly #hasContexts: boolean;
  readonly #sendsAlignment: boolean;

  constructor({ hasContexts, sendsAlignment }: DialogueOptions) {
    this.#hasContexts = hasContexts;
    this.#sendsAlignment = sendsAlignment;
  }

  decode(message: string): readonly SpeechCommand[] {
    const frame = parseDialogueFrame(message);
    const named = this.#hasContexts
      ? (frame.context_id ?? frame.contextId ?? undefined)
      : undefined;
    return [...this.#decodeOpening(frame, named), ...this.#decodeSpeech(frame, named)];
  }

  contextOf(message: string): string | undefined {
    return this.#hasContexts ? namedContext(message) : undefined;
  }

  encode(event: SpeechEvent, traceId: string): string | undefined {
    const context = { ...(this.#hasContexts && { context_id: event.contextId }) };
    const trace = traceFields(traceId);
    switch (event.type) {
      case 'audio-frame': {
        const times = this.#sendsAlignment && event.alignment?.original;
        const alignment = times && { alignment: restartedAlignment(times) };
        return JSON.stringify({ audio: audioText(event), ...alignment, ...context, ...trace });
      }
      case 'flushed':
        return JSON.stringify({ is_final_audio_for_turn: true, ...context, ...trace });
      case 'context-end':
        return JSON.stringify({ is_final: true, ...context, ...trace });
      case 'cleared':
        return undefined;
      case 'error':
        return JSON.stringify({ ...errorFrame(event.error), ...context, ...trace });
    }
  }

  *#decodeOpening(frame: DialogueFrame, named: string | undefined): Generator<SpeechCommand> {
    yield* frameCredentials(frame);
    const settings = dialogueSettings(frame);
    if (settings)
      yield { type: 'configure', ...(named !== undefined && { contextId: named }), settings };
  }

  *#decodeSpeech(frame: DialogueFrame, named: string | undefined): Generator<SpeechCommand> {
    const { flush, close_context, close_socket: isLast } = frame;
    const contextId = named ?? UNNAMED_CONTEXT;
    yield* said(frame, contextId);
    if (flush) yield { type: 'flush', contextId };
    // The only dialogue of a connection ends with it, and says so.
    if (this.#hasContexts ? close_context : isLast) yield { type: 'context-close', contextId };
    if (!frame.inputs && !flush && !close_context && !isLast)
      yield { type: 'keep-alive', ...(named !== undefined && { contextId: named }) };
    if (isLast) yield { type: 'session-end' };
  }
}

function* said({ inputs }: DialogueFrame, contextId: string): Generator<SpeechCommand> {
  for (const { text, voice_id: voiceId, new_turn: isNewTurn } of inputs ?? []) {
    if (text === '') continue;
    const by = { voiceId, isNewTurn: isNewTurn ?? false };
    yield { type: 'text', contextId, text, trigger: false, by };
  }
}
