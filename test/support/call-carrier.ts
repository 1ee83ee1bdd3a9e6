import type { CarrierMessage } from '../../src/domain/carrier.ts';
import { SpeechError } from '../../src/domain/errors.ts';
import type { CallClock } from '../../src/phone/calls/call-clock.ts';
import type { Carrier, CarrierDialect, CarrierEvent } from '../../src/phone/calls/carrier.ts';
import type { CarrierConnection, MediaStream } from '../../src/phone/calls/media-stream.ts';

/** A carrier in no wire language of this world: events as JSON, audio as it is. */
export const TEST_CARRIER: Carrier = {
  name: 'twilio',
  transport: 'websocket',
  unitsPerMessage: 1,
  maxUnitsPerMessage: 50,
  leadMs: 400,
  answersMarks: true,
  clears: true,
  open: () => testDialect(),
};

export function testDialect(): CarrierDialect {
  return {
    receive: (message) => {
      if (typeof message === 'string') return [readEvent(message)];
      if (message.length > 0) return [{ type: 'caller-audio', audio: message }];
      throw new SpeechError('invalid_input_message', 'An empty message says nothing.');
    },
    play: (units) => [units],
    clear: () => ['clear'],
    mark: (name) => [`mark ${name}`],
    done: () => ['done'],
    hangUp: () => ['hangup'],
  };
}

function readEvent(message: string): CarrierEvent {
  try {
    const event = JSON.parse(message) as CarrierEvent & { audio?: number[] };
    return event.type === 'caller-audio'
      ? { ...event, audio: Uint8Array.from(event.audio) }
      : event;
  } catch (cause) {
    throw new SpeechError('invalid_input_message', 'This is not JSON.', { cause });
  }
}

/** A numbered stretch of the caller's audio, as `testDialect` reads it. */
export function numberedAudio(sequence: number, audio: readonly number[]): string {
  return JSON.stringify({ type: 'caller-audio', sequence, audio });
}

type Queued = { audio: Uint8Array; readonly sinceMs: number } | { mark: string };

/** The far end: buffers what it is sent, plays it in real time, and keeps to a carrier's rules. */
export class TestCarrierConnection implements CarrierConnection {
  unsentBytes = 0;
  isClosed = false;
  /** In the order in which they came: 'clear', 'done', 'hangup', 'mark …', 'audio'. */
  readonly sent: string[] = [];
  /** What the caller heard, without the silence of an empty buffer. */
  readonly heard: number[] = [];
  /** When each stretch of uninterrupted sound began, and how long it was. */
  readonly stretches: Array<{ startMs: number; durationMs: number }> = [];
  /** The most that was ever ahead of the caller. */
  mostAheadMs = 0;
  /** The least that was ahead when more came, after the first message of a stretch. */
  leastAheadMs = Number.POSITIVE_INFINITY;
  readonly messageBytes: number[] = [];
  /** Where in `heard` a clear cut the sound off. */
  readonly clearedAt: number[] = [];
  stream: MediaStream | undefined;
  keepsAudio = true;
  readonly #clock: CallClock;
  readonly #carrier: Carrier;
  readonly #bytesPerMs: number;
  #queue: Queued[] = [];
  #playingSinceMs: number | undefined;
  #callOff: (() => void) | undefined;

  constructor(clock: CallClock, carrier: Carrier, bytesPerMs: number) {
    this.#clock = clock;
    this.#carrier = carrier;
    this.#bytesPerMs = bytesPerMs;
  }

  get aheadMs(): number {
    const bytes = this.#queue.reduce(
      (sum, item) => sum + ('audio' in item ? item.audio.length : 0),
      0,
    );
    const elapsedMs =
      this.#playingSinceMs === undefined ? 0 : this.#clock.now() - this.#playingSinceMs;
    return bytes / this.#bytesPerMs - elapsedMs;
  }

  send(messages: readonly CarrierMessage[]): void {
    if (this.isClosed) return;
    for (const message of messages) this.#take(message);
    this.#play();
  }

  close(): void {
    this.isClosed = true;
    this.#callOff?.();
  }

  /** Says something, as the carrier. */
  say(event: CarrierEvent | Uint8Array): void {
    this.stream?.receive(event instanceof Uint8Array ? event : JSON.stringify(event));
  }

  #take(message: CarrierMessage): void {
    if (message instanceof Uint8Array) {
      this.sent.push('audio');
      this.messageBytes.push(message.length);
      const aheadMs = this.aheadMs;
      if (this.#playingSinceMs !== undefined) {
        this.leastAheadMs = Math.min(this.leastAheadMs, aheadMs);
      }
      this.#queue.push({ audio: message, sinceMs: this.#clock.now() });
      this.mostAheadMs = Math.max(this.mostAheadMs, this.aheadMs);
      return;
    }
    this.sent.push(message);
    if (message.startsWith('mark ')) this.#queue.push({ mark: message.slice(5) });
    if (message === 'clear' && this.#carrier.clears) this.#clear();
  }

  /** Every mark comes back at once, as Twilio has it. */
  #clear(): void {
    this.#stopAt(this.#clock.now());
    this.clearedAt.push(this.heard.length);
    const marks = this.#queue.flatMap((item) => ('mark' in item ? [item.mark] : []));
    this.#queue = [];
    this.#callOff?.();
    for (const name of marks) this.#echo(name);
  }

  #stopAt(nowMs: number): void {
    if (this.#playingSinceMs === undefined) return;
    const [head] = this.#queue;
    const elapsedMs = nowMs - this.#playingSinceMs;
    if (head && 'audio' in head) {
      const bytes = 2 * Math.round((elapsedMs * this.#bytesPerMs) / 2);
      this.#hear(head.audio.subarray(0, bytes), this.#playingSinceMs);
    }
    this.#playingSinceMs = undefined;
  }

  /** @param fromMs when what went before had been played; the process may have been held up since. */
  #play(fromMs = this.#clock.now()): void {
    if (this.#playingSinceMs !== undefined) return;
    for (let [head] = this.#queue; head; [head] = this.#queue) {
      if ('audio' in head) {
        const { audio, sinceMs } = head;
        const startMs = Math.max(fromMs, sinceMs);
        const endMs = startMs + audio.length / this.#bytesPerMs;
        this.#playingSinceMs = startMs;
        this.#callOff = this.#clock.after(Math.max(0, endMs - this.#clock.now()), () => {
          this.#queue.shift();
          this.#playingSinceMs = undefined;
          this.#hear(audio, startMs);
          this.#play(endMs);
        });
        return;
      }
      this.#queue.shift();
      this.#echo(head.mark);
    }
  }

  #hear(audio: Uint8Array, startMs: number): void {
    const durationMs = audio.length / this.#bytesPerMs;
    const last = this.stretches.at(-1);
    if (last && Math.abs(last.startMs + last.durationMs - startMs) < 0.01) {
      last.durationMs += durationMs;
    } else this.stretches.push({ startMs, durationMs });
    if (this.keepsAudio) for (const byte of audio) this.heard.push(byte);
  }

  #echo(name: string): void {
    if (this.#carrier.answersMarks) queueMicrotask(() => this.say({ type: 'mark', name }));
  }
}
