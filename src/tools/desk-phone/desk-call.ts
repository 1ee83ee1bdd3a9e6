import type { CarrierMessage, CarrierName } from '../../domain/carrier.ts';
import type {
  ArrivedAudio,
  AskedMark,
  CallEnding,
  CallerMoment,
  DeskCallLog,
  Finding,
} from './call-log.ts';
import type { CarrierSide, SideEvent } from './carrier-side.ts';
import { PlayoutBuffer } from './playout-buffer.ts';
import type { PlayoutEvent } from './playout-rules.ts';

type Messages = readonly CarrierMessage[];

/**
 * One call at the carrier's end: the wire language, the buffer, and a log of both. Knows no socket
 * and no clock; every call says when it is, in milliseconds of any clock that never goes back, and
 * returns what must be sent.
 */
export class DeskCall {
  readonly side: CarrierSide;
  readonly #carrier: CarrierName;
  readonly #startMs: number;
  readonly #buffer: PlayoutBuffer;
  readonly #arrivals: ArrivedAudio[] = [];
  readonly #marks: AskedMark[] = [];
  /** Marks that were not come to yet, by name; several may have the same. */
  readonly #openMarks = new Map<string, AskedMark[]>();
  readonly #moments: CallerMoment[] = [];
  readonly #findings = new Map<string, Finding>();
  readonly #callerFrames: Uint8Array[] = [];
  #callerStartMs = 0;
  #hasGreeted = false;
  #ending: CallEnding | undefined;
  #endMs: number | undefined;
  #wantsEnd: string | undefined;

  constructor(carrier: CarrierName, side: CarrierSide, nowMs: number) {
    this.#carrier = carrier;
    this.side = side;
    this.#startMs = nowMs;
    this.#buffer = new PlayoutBuffer(side.format, side.playout);
  }

  /** Why the connection must be closed now, once that is so. */
  get wantsEnd(): string | undefined {
    return this.#wantsEnd;
  }

  get firstAudioAtMs(): number | undefined {
    return this.#arrivals[0]?.atMs;
  }

  get isPlaying(): boolean {
    return this.#buffer.isPlaying;
  }

  /** When the last thing that was heard ended. */
  get lastHeardMs(): number | undefined {
    return this.#buffer.runs.at(-1)?.endMs;
  }

  greet(): Messages {
    this.#hasGreeted = true;
    return this.side.greet();
  }

  receive(message: CarrierMessage, nowMs: number): Messages {
    const atMs = this.#callTime(nowMs);
    const replies = [...this.#advance(atMs)];
    const events = this.side.receive(message, atMs, this.#buffer.queuedMs);
    for (const event of events) replies.push(...this.#handle(event, atMs));
    replies.push(...this.#advance(atMs));
    return replies;
  }

  /** What is due by now: marks that were come to, and the like. */
  tick(nowMs: number): Messages {
    return this.#advance(this.#callTime(nowMs));
  }

  /** When `tick` has something to do next, by the clock of the calls; undefined if never. */
  get nextTickMs(): number | undefined {
    const nextMs = this.#buffer.nextEventMs;
    return nextMs === undefined ? undefined : this.#startMs + nextMs;
  }

  /** @param frame encoded audio of the caller, as much as the carrier puts into one message. */
  callerAudio(frame: Uint8Array, nowMs: number): Messages {
    if (!this.side.isOpen) return [];
    const atMs = this.#callTime(nowMs);
    if (this.#callerFrames.length === 0) this.#callerStartMs = atMs;
    this.#callerFrames.push(frame);
    return this.side.callerAudio(frame, atMs);
  }

  press(digit: string, nowMs: number): Messages {
    const atMs = this.#callTime(nowMs);
    this.#moments.push({ type: 'key', atMs, label: digit });
    return this.side.key(digit, atMs);
  }

  /** The caller begins to speak; the audio comes in `callerAudio`. */
  speaks(nowMs: number): void {
    this.#moments.push({ type: 'speech', atMs: this.#callTime(nowMs), label: '' });
  }

  hangUp(nowMs: number): Messages {
    return this.side.hangUp(this.#callTime(nowMs));
  }

  /** The connection is gone. The first ending counts. */
  ended(ending: CallEnding, nowMs: number): void {
    if (this.#ending) return;
    const atMs = this.#callTime(nowMs);
    this.#buffer.end(atMs);
    this.#ending = ending;
    this.#endMs = atMs;
  }

  /** @param nowMs is how long the call has lasted, while it goes on. */
  log(nowMs: number): DeskCallLog {
    return {
      carrier: this.#carrier,
      format: this.side.format,
      durationMs: this.#endMs ?? this.#callTime(nowMs),
      ending: this.#ending,
      arrivals: this.#arrivals,
      runs: this.#buffer.runs,
      clears: this.#buffer.clears,
      marks: this.#marks,
      moments: this.#moments,
      findings: [...this.#findings.values()],
      droppedMs: this.#buffer.droppedMs,
      caller: { startMs: this.#callerStartMs, frames: this.#callerFrames },
    };
  }

  #handle(event: SideEvent, atMs: number): Messages {
    switch (event.type) {
      case 'audio':
        this.#play(event.audio, atMs);
        return [];
      case 'mark':
        this.#mark(event.name, atMs);
        return [];
      case 'clear':
        this.#buffer.clear(atMs);
        return [];
      case 'pause':
        if (event.isPaused) this.#buffer.pause(atMs);
        else this.#buffer.resume(atMs);
        return [];
      case 'ask-drained':
        return this.#buffer.isIdle ? this.side.tell({ type: 'drained', atMs }) : [];
      case 'reply':
        return event.messages;
      case 'hang-up':
        this.#wantsEnd ??= event.reason;
        return [];
      case 'finding':
        this.#find(event.text, atMs);
        return [];
    }
  }

  #play(audio: Uint8Array, atMs: number): void {
    if (!this.#hasGreeted) this.#find('Audio was sent before the start of the stream.', atMs);
    const hadRoom = this.#buffer.push(audio, atMs);
    if (!hadRoom) {
      const capacityMs = this.side.playout.capacityMs;
      this.#find(
        `Audio was sent more than ${capacityMs} ms ahead: it does not fit and is dropped.`,
        atMs,
      );
    }
    this.#arrivals.push({ atMs, bytes: audio.length, queuedMs: this.#buffer.queuedMs });
  }

  #mark(name: string, atMs: number): void {
    const mark: AskedMark = { askedAtMs: atMs, answeredAtMs: undefined, isCleared: false };
    this.#marks.push(mark);
    this.#openMarks.set(name, [...(this.#openMarks.get(name) ?? []), mark]);
    this.#buffer.mark(name, atMs);
  }

  #advance(atMs: number): Messages {
    return this.#buffer.advance(atMs).flatMap((event) => {
      if (event.type === 'mark') this.#answer(event);
      return this.side.tell(event);
    });
  }

  #answer({ name, isCleared, atMs }: Extract<PlayoutEvent, { type: 'mark' }>): void {
    const mark = this.#openMarks.get(name)?.shift();
    if (!mark) return;
    mark.answeredAtMs = atMs;
    mark.isCleared = isCleared;
  }

  #find(text: string, atMs: number): void {
    const known = this.#findings.get(text);
    if (known) known.count++;
    else this.#findings.set(text, { text, firstAtMs: atMs, count: 1 });
  }

  #callTime(nowMs: number): number {
    return nowMs - this.#startMs;
  }
}
