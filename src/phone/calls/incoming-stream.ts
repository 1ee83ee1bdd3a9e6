import type { CarrierMessage } from '../../domain/carrier.ts';
import { type SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { LiveWork } from '../../domain/live-work.ts';
import type { SpeechLog } from '../../synthesis/speech/speech-services.ts';
import type { Call } from './call.ts';
import type { CallClock } from './call-clock.ts';
import { carrierSilent } from './call-errors.ts';
import type { CallStart, CarrierEvent } from './carrier.ts';
import type { AdmittedCall, MediaStream, StreamOpening } from './media-stream.ts';

/** How long a carrier may take to say what call its stream is about. */
const START_WAIT_MS = 10_000;
/** What a carrier may say while its call is being admitted; ten seconds of audio. */
const MOST_KEPT = 500;
/** A carrier that says this much that cannot be understood speaks another language. */
const MOST_WRONG_MESSAGES = 100;

export interface IncomingStreamParts {
  readonly opening: StreamOpening;
  readonly clock: CallClock;
  readonly log: SpeechLog;
  /** @throws SpeechError when there can be no call. */
  readonly prepare: (start: CallStart, admitted: AdmittedCall) => Promise<() => Call>;
  /** The stream is over, and never became a call; `error` when that was not its carrier's wish. */
  readonly onRefused: (error: SpeechError | undefined) => void;
}

/** A carrier's stream from its first message on: waits for the start, asks who pays, begins the call. */
export class IncomingStream implements MediaStream, LiveWork {
  readonly #parts: IncomingStreamParts;
  #state: 'silent' | 'admitting' | 'live' | 'over' = 'silent';
  #kept: CarrierEvent[] = [];
  #call: Call | undefined;
  #wrongMessages = 0;
  readonly #callOffDeadline: () => void;

  constructor(parts: IncomingStreamParts) {
    this.#parts = parts;
    this.#callOffDeadline = parts.clock.after(START_WAIT_MS, () =>
      this.fail(carrierSilent(START_WAIT_MS)),
    );
  }

  /** A call goes on as long as its people talk, so a shutdown gives it all the time there is. */
  get busy(): boolean {
    return this.#state === 'admitting' || (this.#call !== undefined && !this.#call.isOver);
  }

  receive(message: CarrierMessage): void {
    if (this.#state === 'over') return;
    let events: readonly CarrierEvent[];
    try {
      events = this.#parts.opening.dialect.receive(message);
    } catch (thrown) {
      this.#misunderstood(toSpeechError(thrown));
      return;
    }
    for (const event of events) this.#take(event);
  }

  closed(): void {
    if (this.#call) this.#call.closed();
    else this.#refuse(undefined);
  }

  fail(error: SpeechError): void {
    if (this.#call) this.#call.fail(error);
    else this.#refuse(error);
  }

  #take(event: CarrierEvent): void {
    if (event.type === 'reply') this.#parts.opening.connection.send(event.messages);
    else if (this.#call) this.#call.receive(event);
    else if (this.#state === 'silent' && event.type === 'start') this.#admit(event.start);
    else if (event.type === 'stop') this.#refuse(undefined);
    else if (this.#state === 'admitting') this.#keep(event);
  }

  #keep(event: CarrierEvent): void {
    this.#kept.push(event);
    if (this.#kept.length <= MOST_KEPT) return;
    const oldestAudio = this.#kept.findIndex(({ type }) => type === 'caller-audio');
    this.#kept.splice(Math.max(0, oldestAudio), 1);
  }

  #admit(start: CallStart): void {
    this.#state = 'admitting';
    this.#callOffDeadline();
    const prepared = async () => {
      const admitted = await this.#parts.opening.admit(start);
      return this.#parts.prepare(start, admitted);
    };
    prepared().then(
      (openCall) => this.#begin(openCall),
      (thrown: unknown) => this.fail(toSpeechError(thrown)),
    );
  }

  #begin(openCall: () => Call): void {
    if (this.#state !== 'admitting') return;
    this.#state = 'live';
    this.#call = openCall();
    for (const event of this.#kept.splice(0)) this.#call.receive(event);
  }

  /** One odd message is no reason to hang up on a caller; a stream of them is. */
  #misunderstood(error: SpeechError): void {
    if (++this.#wrongMessages === 1) {
      this.#parts.log.warn({ code: error.code, reason: error.message }, 'carrier message refused');
    }
    if (!this.#call || this.#wrongMessages >= MOST_WRONG_MESSAGES) this.fail(error);
  }

  #refuse(error: SpeechError | undefined): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#callOffDeadline();
    this.#kept = [];
    const { connection, dialect } = this.#parts.opening;
    if (error) connection.send(dialect.hangUp());
    connection.close(error);
    this.#parts.onRefused(error);
  }
}
