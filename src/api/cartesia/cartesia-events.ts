import type { SpeechError } from '../../domain/errors.ts';
import { base64 } from '../rest-speech/reply-form.ts';
import { cartesiaError, cartesiaStatus } from './cartesia-errors.ts';
import { CARTESIA_STATUS, type CartesiaEvent } from './cartesia-event-schemas.ts';
import type { WireWordTimes } from './word-times.ts';

/** Of one context, or one request that named none. */
export class CartesiaEvents {
  readonly #context: { readonly context_id?: string };
  readonly #now: () => number;
  #toldAtMs: number;

  /** @param now milliseconds that never go back. */
  constructor(contextId: string | undefined, now: () => number = () => performance.now()) {
    this.#context = contextId === undefined ? {} : { context_id: contextId };
    this.#now = now;
    this.#toldAtMs = now();
  }

  /** `step_time` are the milliseconds since the audio before, or since it was asked for. */
  chunk(audio: Uint8Array, flushId?: number): CartesiaEvent {
    const nowMs = this.#now();
    const stepMs = nowMs - this.#toldAtMs;
    this.#toldAtMs = nowMs;
    return {
      type: 'chunk',
      data: base64(audio),
      done: false,
      status_code: CARTESIA_STATUS,
      step_time: Math.round(1000 * stepMs) / 1000,
      ...this.#context,
      ...(flushId !== undefined && { flush_id: flushId }),
    };
  }

  timestamps(times: WireWordTimes, flushId?: number): CartesiaEvent {
    return {
      type: 'timestamps',
      done: false,
      status_code: CARTESIA_STATUS,
      word_timestamps: times,
      ...this.#context,
      ...(flushId !== undefined && { flush_id: flushId }),
    };
  }

  flushDone(flushId: number): CartesiaEvent {
    return {
      type: 'flush_done',
      done: false,
      flush_done: true,
      flush_id: flushId,
      status_code: CARTESIA_STATUS,
      ...this.#context,
    };
  }

  done(): CartesiaEvent {
    return { type: 'done', done: true, status_code: CARTESIA_STATUS, ...this.#context };
  }

  /** `error` is how older versions told of it, and what some clients still read. */
  error(error: SpeechError, requestId: string): CartesiaEvent {
    const told = cartesiaError(error, requestId);
    return {
      type: 'error',
      done: true,
      status_code: cartesiaStatus(error.code),
      ...told,
      error: `${told.title}: ${told.message}`,
      ...this.#context,
    };
  }
}
