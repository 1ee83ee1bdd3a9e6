import type { CarrierMessage, CarrierName } from '../../domain/carrier.ts';
import type { WavAudio } from '../../synthesis/audio/wav.ts';
import type { CallEnding, DeskCallLog } from './call-log.ts';
import { type Background, CallerVoice } from './caller-voice.ts';
import type { CarrierSide } from './carrier-side.ts';
import { DeskCall } from './desk-call.ts';
import type { CallState } from './phone-script.ts';
import type { OpenTransport, Transport, TransportEnd } from './transport.ts';

/** The phone looks around at least this often, whatever the carrier's own frame is. */
const STEP_MS = 20;
/** How long a server may take to answer a goodbye. */
const GOODBYE_MS = 3000;
/** How long a connection may take to close before the call counts as over all the same. */
const CLOSE_MS = 2000;
const CALLER_HUNG_UP = 'The caller hung up.';

export interface PhoneOptions {
  readonly carrier: CarrierName;
  readonly side: CarrierSide;
  readonly transport: OpenTransport;
  readonly background?: Background;
  /** Asked at every frame of the caller's audio. */
  readonly onFrame?: (phone: DeskPhone) => void;
  /** Milliseconds of a clock that never goes back; `performance.now` unless given. */
  readonly now?: () => number;
}

/**
 * A telephone on a carrier that is played here: sends the caller's audio in real time, plays what
 * comes back by the carrier's rules, and keeps a log of it all.
 */
export class DeskPhone {
  /** Resolves when the call is over, whichever side ended it. */
  readonly ended: Promise<void>;
  readonly #call: DeskCall;
  readonly #voice: CallerVoice;
  readonly #onFrame: ((phone: DeskPhone) => void) | undefined;
  readonly #now: () => number;
  readonly #startMs: number;
  readonly #whenEnded: () => void;
  readonly #watchers = new Set<() => void>();
  #transport: Transport | undefined;
  #timer: NodeJS.Timeout | undefined;
  #framesSent = 0;
  #streamStartMs: number | undefined;
  #isHangingUp = false;
  #isClosing = false;
  #isOver = false;

  private constructor(options: PhoneOptions) {
    this.#now = options.now ?? (() => performance.now());
    this.#startMs = this.#now();
    this.#call = new DeskCall(options.carrier, options.side, this.#startMs);
    this.#voice = new CallerVoice(options.side.format, options.background ?? 'silence');
    this.#onFrame = options.onFrame;
    let resolveEnded = () => {};
    this.ended = new Promise((resolve) => {
      resolveEnded = resolve;
    });
    this.#whenEnded = resolveEnded;
  }

  /**
   * Places a call; it has begun when this resolves.
   * @throws PhoneError `unreachable`, `refused`.
   */
  static async dial(options: PhoneOptions): Promise<DeskPhone> {
    let phone: DeskPhone | undefined;
    const early: CarrierMessage[] = [];
    let earlyEnd: TransportEnd | undefined;
    const transport = await options.transport({
      message: (message) => {
        if (phone) phone.#receive(message);
        else early.push(message);
      },
      ended: (end) => {
        if (phone) phone.#gone(end);
        else earlyEnd = end;
      },
    });
    // Only now does the call's time begin: connecting is no part of it.
    phone = new DeskPhone(options);
    phone.#begin(transport, early);
    if (earlyEnd) phone.#gone(earlyEnd);
    return phone;
  }

  /** The log so far; complete when the call is over. */
  get log(): DeskCallLog {
    return this.#call.log(this.#now());
  }

  get state(): CallState {
    const { firstAudioAtMs, isPlaying, lastHeardMs } = this.#call;
    return {
      atMs: this.#now() - this.#startMs,
      firstAudioAtMs,
      isPlaying,
      lastHeardMs,
      isSpeaking: this.#voice.isSpeaking,
    };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What the log counts from, by the clock of the phone. */
  get startMs(): number {
    return this.#startMs;
  }

  say(audio: WavAudio): void {
    this.#call.speaks(this.#now());
    this.#voice.say(audio);
  }

  press(digit: string): void {
    this.#send(this.#call.press(digit, this.#now()));
  }

  /** Hangs up as the caller. Idempotent; `ended` tells when it is done. */
  hangUp(): void {
    if (this.#isHangingUp || this.#isClosing) return;
    this.#isHangingUp = true;
    const goodbye = this.#call.hangUp(this.#now());
    this.#send(goodbye);
    const close = () => this.#close({ by: 'caller', reason: CALLER_HUNG_UP });
    if (this.#call.side.waitsForGoodbye && goodbye.length > 0)
      setTimeout(close, GOODBYE_MS).unref();
    else close();
  }

  /** Waits until `isSo` says so, asked at every message and frame, or the call is over. */
  async until(isSo: (phone: DeskPhone) => boolean): Promise<void> {
    while (!this.#isOver && !isSo(this)) {
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  #begin(transport: Transport, early: readonly CarrierMessage[]): void {
    this.#transport = transport;
    for (const message of early) this.#receive(message);
    this.#send(this.#call.greet());
    if (!this.#isClosing) this.#step();
  }

  #receive(message: CarrierMessage): void {
    if (this.#isClosing) return;
    this.#send(this.#call.receive(message, this.#now()));
    const reason = this.#call.wantsEnd;
    if (reason !== undefined) {
      const ending = { by: 'caller', reason: CALLER_HUNG_UP } as const;
      this.#close(this.#isHangingUp ? ending : { by: 'server', reason });
    } else if (this.#call.side.isOpen && this.#streamStartMs === undefined) this.#step();
    else this.#schedule();
    this.#notify();
  }

  /** Sends every frame that is due, so that a late timer is caught up with and time never drifts. */
  #step(): void {
    if (this.#isClosing) return;
    const nowMs = this.#now();
    this.#send(this.#call.tick(nowMs));
    const { side } = this.#call;
    if (side.isOpen && !this.#isHangingUp) {
      this.#streamStartMs ??= nowMs;
      while (this.#nextFrameMs() <= nowMs) {
        this.#framesSent++;
        this.#send(this.#call.callerAudio(this.#voice.frame(side.frameMs), nowMs));
      }
    }
    this.#onFrame?.(this);
    this.#notify();
    this.#schedule();
  }

  /** A frame is sent when its last sample has been spoken. */
  #nextFrameMs(): number {
    const startMs = this.#streamStartMs ?? this.#now();
    return startMs + (this.#framesSent + 1) * this.#call.side.frameMs;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosing) return;
    const nowMs = this.#now();
    const tickMs = this.#call.nextTickMs ?? Number.POSITIVE_INFINITY;
    const nextMs = Math.min(this.#nextFrameMs(), tickMs, nowMs + STEP_MS);
    this.#timer = setTimeout(() => this.#step(), Math.max(0, Math.ceil(nextMs - nowMs)));
  }

  #send(messages: readonly CarrierMessage[]): void {
    for (const message of messages) this.#transport?.send(message);
  }

  #gone({ reason, isBroken }: TransportEnd): void {
    if (this.#isHangingUp) this.#finish({ by: 'caller', reason: CALLER_HUNG_UP });
    else this.#finish({ by: isBroken ? 'mishap' : 'server', reason });
  }

  #close(ending: CallEnding): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#call.ended(ending, this.#now());
    this.#transport?.close();
    clearTimeout(this.#timer);
    setTimeout(() => this.#finish(ending), CLOSE_MS).unref();
  }

  #finish(ending: CallEnding): void {
    if (this.#isOver) return;
    this.#call.ended(ending, this.#now());
    this.#isClosing = true;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#whenEnded();
    this.#notify();
  }

  #notify(): void {
    const waiting = [...this.#watchers];
    this.#watchers.clear();
    for (const resolve of waiting) resolve();
  }
}
