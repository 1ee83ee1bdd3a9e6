import { tooMuchWaits } from './call-errors.ts';
import type { ContextSpeech } from './context-speech.ts';
import type { Cue } from './playback.ts';

/** Marks and recordings that may wait: far more than a turn of a conversation has. */
const MOST_ENTRIES = 1000;
/** Of the bot's own audio that may wait: a minute of mu-law is 480 000. */
const MOST_AUDIO_BYTES = 8 * 1024 * 1024;

type Entry =
  | {
      readonly type: 'speech';
      readonly context: ContextSpeech;
      /** Text behind this place belongs to a later entry. */
      until: number | undefined;
    }
  | { readonly type: 'audio'; audio: Uint8Array }
  | { readonly type: 'cue'; readonly cue: Cue };

/** The least time that a character takes to be spoken, by the fastest of voices. */
const LEAST_MS_PER_CHARACTER = 40;

/** A piece of what is to be sent next. */
export type QueueItem =
  | { readonly audio: Uint8Array; readonly context: ContextSpeech | undefined }
  | { readonly cue: Cue };

/**
 * What a call is to hear, in the order in which the bot said it. Contexts are spoken one after the
 * other, though synthesised at the same time; the one that is speaking goes on until it has nothing left.
 * A cue, or audio of the bot's own, comes after all text that was written before it, and before all
 * that is written after it.
 */
export class ContextQueue {
  readonly #isBusy: (context: ContextSpeech) => boolean;
  #entries: Entry[] = [];
  #audioBytes = 0;

  /** @param isBusy whether audio of a context is being made or is waiting to be. */
  constructor(isBusy: (context: ContextSpeech) => boolean) {
    this.#isBusy = isBusy;
  }

  /** Whether nothing is left to be sent, and nothing is being made. */
  get isIdle(): boolean {
    this.#skipSilent();
    const [head] = this.#entries;
    if (!head) return true;
    return head.type === 'speech' && !head.context.hasWaiting && !this.#isBusy(head.context);
  }

  /**
   * Audio that is sent before whatever is made next for a context: what waits in front of it, and at
   * least what is still to be made for the contexts in front.
   */
  msBefore(context: ContextSpeech, bytesPerMs: number): number {
    const last = this.#entries.findLastIndex(
      (entry) => entry.type === 'speech' && entry.context === context,
    );
    const before = new Set<ContextSpeech>();
    let waitingBytes = last === -1 ? 0 : context.waitingBytes;
    for (const entry of this.#entries.slice(0, Math.max(0, last))) {
      if (entry.type === 'audio') waitingBytes += entry.audio.length;
      else if (entry.type === 'speech' && entry.context !== context) before.add(entry.context);
    }
    let unmadeChars = 0;
    for (const { waitingBytes: bytes, transcript } of before) {
      waitingBytes += bytes;
      unmadeChars += transcript.writtenChars - transcript.timedChars;
    }
    return waitingBytes / bytesPerMs + unmadeChars * LEAST_MS_PER_CHARACTER;
  }

  /** Gives a context its place, unless it has one. */
  speech(context: ContextSpeech): void {
    for (let index = this.#entries.length - 1; index >= 0; index--) {
      const entry = this.#entries[index];
      if (entry?.type !== 'speech') break;
      if (entry.context === context && entry.until === undefined) return;
    }
    this.#entries.push({ type: 'speech', context, until: undefined });
  }

  /** @throws SpeechError when too much waits. */
  audio(audio: Uint8Array): void {
    this.#assertRoom();
    if (this.#audioBytes + audio.length > MOST_AUDIO_BYTES) throw tooMuchWaits();
    this.#audioBytes += audio.length;
    this.#bar();
    this.#entries.push({ type: 'audio', audio });
  }

  /** @throws SpeechError when too much waits. */
  cue(cue: Cue): void {
    this.#assertRoom();
    this.#bar();
    this.#entries.push({ type: 'cue', cue });
  }

  /** The next piece; undefined when there is none yet. */
  take(maxBytes: number): QueueItem | undefined {
    this.#skipSilent();
    const [head] = this.#entries;
    switch (head?.type) {
      case undefined:
        return undefined;
      case 'cue':
        this.#entries.shift();
        return { cue: head.cue };
      case 'audio': {
        const audio = head.audio.subarray(0, maxBytes);
        head.audio = head.audio.subarray(maxBytes);
        this.#audioBytes -= audio.length;
        if (head.audio.length === 0) this.#entries.shift();
        return { audio, context: undefined };
      }
      case 'speech': {
        const taken = head.context.take(maxBytes, head.until);
        if (taken === undefined) return undefined;
        return taken instanceof Uint8Array
          ? { audio: taken, context: head.context }
          : { cue: taken };
      }
    }
  }

  /** Drops everything that waits. */
  clear(): void {
    for (const entry of this.#entries) if (entry.type === 'speech') entry.context.drop();
    this.#entries = [];
    this.#audioBytes = 0;
  }

  /** Text written from now on comes after what is entered next. */
  #bar(): void {
    for (const entry of this.#entries) {
      if (entry.type === 'speech') entry.until ??= entry.context.transcript.writtenChars;
    }
  }

  /** Takes entries off the front that have said what they had to say. */
  #skipSilent(): void {
    for (let [head] = this.#entries; head?.type === 'speech'; [head] = this.#entries) {
      const { context, until } = head;
      if (context.hasWaitingBefore(until)) return;
      const isOver = context.state === 'ended' || context.state === 'lost';
      const mayYield = until !== undefined || this.#entries.length > 1;
      const isPast = context.hasWaiting;
      if (!isOver && !isPast && (!mayYield || this.#isBusy(context))) return;
      this.#entries.shift();
    }
  }

  #assertRoom(): void {
    if (this.#entries.length >= MOST_ENTRIES) throw tooMuchWaits();
  }
}
