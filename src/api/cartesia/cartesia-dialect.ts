import { BoundedMap } from '../../domain/bounded-map.ts';
import type { SpeechCommand, SpeechEvent } from '../../synthesis/speech/messages.ts';
import type { Dialect } from '../websocket/dialect.ts';
import type { CartesiaEvent } from './cartesia-event-schemas.ts';
import { CartesiaEvents } from './cartesia-events.ts';
import { cartesiaContext, parseCartesiaMessage } from './cartesia-frames.ts';
import type { CartesiaMessage } from './cartesia-schemas.ts';
import { WordTimes } from './word-times.ts';

/** More than a connection ever has at once, those included that have ended without having begun. */
const REMEMBERED_CONTEXTS = 256;
const DEFAULT_BUFFER_DELAY_MS = 3000;

/** What is to be known about a context in order to tell of it. */
interface ToldContext {
  readonly events: CartesiaEvents;
  /** Where times are asked for. */
  readonly words: WordTimes | undefined;
  readonly usesSpokenText: boolean;
  /** Flushes that were answered. */
  flushes: number;
  /** Whether its end was told already, by an error. */
  hasFailed: boolean;
}

export interface CartesiaDialectPorts {
  /** Told how a context is to speak, with each of its messages. */
  readonly onAsked: (contextId: string, message: CartesiaMessage) => void;
  /** Told that text may wait so long for more; 0 when none waits any more. */
  readonly onHeld: (contextId: string, delayMs: number) => void;
  /** Told that nothing more is said in a context. */
  readonly onEnded: (contextId: string) => void;
}

/** The websocket dialect of `/tts/websocket`, of one connection. */
export class CartesiaDialect implements Dialect {
  readonly #requestId: string;
  readonly #ports: CartesiaDialectPorts;
  readonly #contexts = new BoundedMap<string, ToldContext>(REMEMBERED_CONTEXTS);

  constructor(requestId: string, ports: CartesiaDialectPorts) {
    this.#requestId = requestId;
    this.#ports = ports;
  }

  decode(message: string): readonly SpeechCommand[] {
    return [...this.#commands(parseCartesiaMessage(message))];
  }

  contextOf(message: string): string | undefined {
    return cartesiaContext(message);
  }

  encode(event: SpeechEvent): readonly string[] {
    return this.#events(event).map((told) => JSON.stringify(told));
  }

  *#commands(message: CartesiaMessage): Generator<SpeechCommand> {
    const { context_id: contextId, transcript: text } = message;
    const delayMs = message.max_buffer_delay_ms ?? DEFAULT_BUFFER_DELAY_MS;
    const goesOn = message.continue ?? false;
    if (message.cancel) {
      this.#ports.onHeld(contextId, 0);
      yield { type: 'context-close', contextId, isImmediate: true };
      return;
    }
    this.#ports.onHeld(contextId, goesOn ? delayMs : 0);
    if (text) {
      this.#begin(message);
      this.#ports.onAsked(contextId, message);
      yield { type: 'text', contextId, text, trigger: false };
    }
    // Without a delay each transcript is spoken by itself, and said to have been.
    if (message.flush || (goesOn && text && delayMs === 0)) yield { type: 'flush', contextId };
    if (!goesOn) yield { type: 'context-close', contextId };
  }

  #begin({ context_id: contextId, ...message }: CartesiaMessage): void {
    const known = this.#contexts.use(contextId);
    if (known && !known.hasFailed) return;
    this.#contexts.set(contextId, {
      events: new CartesiaEvents(contextId),
      words: message.add_timestamps ? new WordTimes() : undefined,
      usesSpokenText: message.use_normalized_timestamps ?? false,
      flushes: 0,
      hasFailed: false,
    });
  }

  #events(event: SpeechEvent): readonly CartesiaEvent[] {
    const { contextId } = event;
    if (contextId === undefined) {
      if (event.type !== 'error') return [];
      return [new CartesiaEvents(undefined).error(event.error, this.#requestId)];
    }
    const context = this.#contexts.get(contextId) ?? untold(contextId);
    const { events, flushes } = context;
    switch (event.type) {
      case 'audio-frame':
        return [events.chunk(event.audio, flushes + 1), ...wordsIn(event, context)];
      case 'flushed':
        this.#contexts.set(contextId, { ...context, flushes: flushes + 1 });
        return [...lastWord(context), events.flushDone(flushes + 1)];
      case 'context-end':
        this.#ports.onEnded(contextId);
        // What comes late for a context that has failed ends it once more.
        if (context.hasFailed) return [];
        this.#contexts.delete(contextId);
        return [...lastWord(context), events.done()];
      case 'error':
        this.#contexts.set(contextId, { ...context, hasFailed: true });
        return [events.error(event.error, this.#requestId)];
      case 'cleared':
        return [];
    }
  }
}

/** A context that was never spoken to. */
function untold(contextId: string): ToldContext {
  return {
    events: new CartesiaEvents(contextId),
    words: undefined,
    usesSpokenText: false,
    flushes: 0,
    hasFailed: false,
  };
}

function wordsIn(
  { alignment }: Extract<SpeechEvent, { type: 'audio-frame' }>,
  { events, words, usesSpokenText, flushes }: ToldContext,
): readonly CartesiaEvent[] {
  if (!alignment) return [];
  const times = words?.add(usesSpokenText ? alignment.spoken : alignment.original);
  return times ? [events.timestamps(times, flushes + 1)] : [];
}

function lastWord({ events, words, flushes }: ToldContext): readonly CartesiaEvent[] {
  const times = words?.end();
  return times ? [events.timestamps(times, flushes + 1)] : [];
}
