import type { OutputFormat } from '../../domain/audio.ts';
import { UNIT_MS } from '../../domain/carrier.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import type { CallClock } from './call-clock.ts';
import type { Carrier, CarrierDialect } from './carrier.ts';
import type { QueueItem } from './context-queue.ts';
import type { ContextSpeech } from './context-speech.ts';
import type { CarrierConnection } from './media-stream.ts';
import { PacingClock } from './pacing-clock.ts';
import { type Cue, Playback } from './playback.ts';
import { SentAudioLog } from './sent-audio-log.ts';
import { type PackedMessage, UnitPacker } from './unit-packer.ts';

/** Opens the media path, so that no first word is lost while it opens. */
const PRIMING_MS = 100;
/** How often to look again while audio is being made and none is left to send. */
const STARVING_POLL_MS = UNIT_MS;
/** A carrier that leaves more than this unread will never be in time again. */
const WALL_S = 10;
/** Base64 and JSON around the audio, generously. */
const WIRE_OVERHEAD = 2;

/** Where the line takes what it sends. */
export interface PieceSource {
  /** Whether nothing is left to be sent, and nothing is being made. */
  isIdle(): boolean;
  /** The next piece; undefined when there is none yet. */
  take(maxBytes: number): QueueItem | undefined;
}

export interface CallPlayoutParts {
  readonly carrier: Carrier;
  readonly dialect: CarrierDialect;
  readonly connection: CarrierConnection;
  readonly format: OutputFormat;
  readonly clock: CallClock;
  readonly source: PieceSource;
  /** The carrier leaves what it is sent unread. */
  readonly onTooSlow: () => void;
}

/**
 * Sends a call's audio to its carrier: in messages of whole units, a little ahead of the caller's
 * ear, with marks behind what they belong to; and knows what the caller has heard. At most one timer,
 * none while there is nothing to do.
 */
export class CallPlayout {
  readonly #parts: CallPlayoutParts;
  readonly #packer: UnitPacker<ContextSpeech>;
  readonly #pacing: PacingClock;
  readonly #playback: Playback;
  readonly #sentAudio = new SentAudioLog<ContextSpeech>();
  /** Cues whose audio is not wholly sent yet, and how much of it is not. */
  #ahead: Array<{ readonly bytesBefore: number; readonly cue: Cue }> = [];
  #marks = 0;
  #isPrimed = false;
  #isOpen = true;
  #isClosed = false;
  #isPumping = false;
  /** Whether audio has been sent since the carrier was last told that none follows. */
  #isSpeaking = false;
  #cancelTimer: (() => void) | undefined;

  constructor(parts: CallPlayoutParts) {
    const { carrier, format } = parts;
    this.#parts = parts;
    this.#packer = new UnitPacker(sampleCodecOf(format), format.sampleRate, carrier);
    this.#pacing = new PacingClock(carrier.leadMs, this.#packer.messageMs);
    this.#playback = new Playback(carrier.answersMarks);
  }

  /** Of the call's spoken format. */
  get bytesPerMs(): number {
    return this.#packer.bytesPerMs;
  }

  /** Whether nothing is left to send, and nothing is being made. */
  get isSent(): boolean {
    return this.#packer.bytes === 0 && this.#ahead.length === 0 && this.#parts.source.isIdle();
  }

  /** Whether, as far as the clock can tell, the caller has heard everything there is. */
  get isQuiet(): boolean {
    return this.isSent && this.#playback.isOver(this.#parts.clock.now());
  }

  /** Audio that lies at the carrier and has not been heard. */
  get aheadMs(): number {
    return this.#pacing.aheadMs(this.#parts.clock.now());
  }

  /** What the caller has heard of all audio sent. */
  get positionMs(): number {
    return this.#playback.positionMs(this.#parts.clock.now());
  }

  /** Audio of a context that the caller has heard at a position. */
  heardMs(context: ContextSpeech, positionMs = this.positionMs): number {
    return this.#sentAudio.heardMs(context, positionMs);
  }

  forget(context: ContextSpeech): void {
    this.#sentAudio.forget(context);
  }

  /** Opens the media path with silence, the first time that the bot is about to speak. */
  prime(): void {
    if (this.#isPrimed) return;
    this.#isPrimed = true;
    this.#packer.pushSilence(PRIMING_MS);
    this.wake();
  }

  /** There may be something new to send. */
  wake(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    while (this.#sendNext());
    this.#isPumping = false;
    if (this.#isClosed) return;
    if (this.#isSpeaking && this.isSent) {
      this.#isSpeaking = false;
      this.#parts.connection.send(this.#parts.dialect.done());
    }
    this.#schedule();
  }

  /** The carrier's buffer is full, or has room again. */
  setFlow(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.wake();
  }

  /** The carrier has come to a mark. */
  echoed(name: string): void {
    const cues = this.#playback.echoed(name, this.#parts.clock.now());
    this.#sentAudio.settle(this.positionMs);
    for (const cue of cues) cue.heard();
  }

  /**
   * Has the carrier fall silent, at once, and drops what is packed.
   * @returns the position up to which the caller hears; see `heardMs`.
   */
  clear(): number {
    const { carrier, dialect, connection } = this.#parts;
    if (carrier.clears) connection.send(dialect.clear());
    // Without a clear, what was sent ahead will be heard all the same.
    const positionMs = carrier.clears ? this.positionMs : this.#playback.sentMs;
    this.#playback.cut(positionMs, this.#parts.clock.now());
    this.#sentAudio.cut(positionMs);
    if (carrier.clears) this.#pacing.clear();
    this.#packer.clear();
    this.#ahead = [];
    this.#isSpeaking = false;
    return positionMs;
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  /** @returns whether there may be more to send now. */
  #sendNext(): boolean {
    if (!this.#isOpen || this.#isClosed) return false;
    const room = this.#packer.bytesWithin(this.#pacing.roomMs(this.#parts.clock.now()));
    if (room === 0) return false;
    this.#fill(room);
    if (!this.#packer.hasMessage) {
      if (this.#packer.bytes === 0 || !this.#parts.source.isIdle()) return false;
      this.#packer.pad();
    }
    this.#send(this.#packer.take(room));
    return true;
  }

  #fill(room: number): void {
    let wanted = room;
    while (this.#packer.bytes < wanted) {
      const piece = this.#parts.source.take(wanted - this.#packer.bytes);
      if (!piece) return;
      if ('audio' in piece) {
        this.#packer.push(piece.audio, piece.context);
        continue;
      }
      this.#ahead.push({ bytesBefore: this.#packer.bytes, cue: piece.cue });
      this.#passCues(0);
      // A mark goes out behind its own audio, not behind all that a message could carry besides.
      wanted = Math.min(wanted, this.#packer.bytes + this.#packer.missingBytes);
      if (wanted === 0) wanted = room;
    }
  }

  #send({ units, durationMs, stretches, isSpeech }: PackedMessage<ContextSpeech>): void {
    const { dialect, connection, clock, format, onTooSlow } = this.#parts;
    const now = clock.now();
    connection.send(dialect.play(units));
    for (const { owner, startMs, durationMs: ownMs } of stretches) {
      this.#sentAudio.enter(owner, this.#playback.sentMs + startMs, ownMs);
    }
    this.#playback.sent(durationMs, now);
    this.#pacing.sent(durationMs, now);
    this.#isSpeaking ||= isSpeech;
    this.#passCues(units.length);
    const wallBytes = (format.bitsPerSecond / 8) * WALL_S * WIRE_OVERHEAD;
    if (connection.unsentBytes > wallBytes) onTooSlow();
  }

  /** Marks go out when the audio before them has. */
  #passCues(sentBytes: number): void {
    const { carrier, dialect, connection } = this.#parts;
    this.#ahead = this.#ahead.map(({ bytesBefore, cue }) => ({
      bytesBefore: bytesBefore - sentBytes,
      cue,
    }));
    for (let [next] = this.#ahead; next && next.bytesBefore <= 0; [next] = this.#ahead) {
      this.#ahead.shift();
      const name = `${next.cue.kind}-${++this.#marks}`;
      if (carrier.answersMarks) connection.send(dialect.mark(name));
      this.#playback.await(name, next.cue);
    }
  }

  #schedule(): void {
    this.#cancelTimer?.();
    const waitMs = this.#waitMs(this.#parts.clock.now());
    this.#cancelTimer =
      waitMs === undefined ? undefined : this.#parts.clock.after(waitMs, () => this.#onTimer());
  }

  /** How long there is nothing to do; undefined while nothing is foreseen. */
  #waitMs(now: number): number | undefined {
    const dueMs = this.#playback.dueInMs(now);
    if (!this.#isOpen || this.isSent) return dueMs;
    const sendMs = this.#pacing.roomMs(now) > 0 ? STARVING_POLL_MS : this.#pacing.waitMs(now);
    return Math.min(sendMs, dueMs ?? sendMs);
  }

  #onTimer(): void {
    const { carrier, clock } = this.#parts;
    if (!carrier.answersMarks) this.#sentAudio.settle(this.positionMs);
    for (const cue of this.#playback.due(clock.now())) cue.heard();
    this.wake();
  }
}
