import type { OutputFormat } from '../../domain/audio.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import { PlayoutQueue } from './playout-queue.ts';
import type { HeardClear, HeardRun, PlayoutEvent, PlayoutRules } from './playout-rules.ts';

interface Run {
  readonly startMs: number;
  readonly audio: Uint8Array[];
  samples: number;
  /** Samples of the run that are the rest of a frame which a clear came in the middle of. */
  cutAtSample: number | undefined;
}

/**
 * The buffer at the carrier's end and the ear behind it. Playing begins with the first audio and goes
 * on in real time; when nothing is left there is silence until more comes. Knows no clock: every call
 * says when it is, in milliseconds that never go back, and times within what is played are exact to
 * the sample, however late they are asked for.
 */
export class PlayoutBuffer {
  /** What was heard so far, without what is being played. */
  readonly runs: HeardRun[] = [];
  readonly clears: HeardClear[] = [];
  readonly #rules: PlayoutRules;
  readonly #bytesPerSample: number;
  readonly #samplesPerMs: number;
  readonly #frameSamples: number;
  readonly #queue = new PlayoutQueue();
  #events: PlayoutEvent[] = [];
  #run: Run | undefined;
  /** When audio that waits for the jitter buffer to fill will be played. */
  #dueMs = 0;
  #isPaused = false;
  #isOpen = true;
  #droppedMs = 0;

  constructor(format: OutputFormat, rules: PlayoutRules) {
    this.#rules = rules;
    this.#bytesPerSample = sampleCodecOf(format).bytesPerSample;
    this.#samplesPerMs = format.sampleRate / 1000;
    this.#frameSamples = Math.round(rules.frameMs * this.#samplesPerMs);
  }

  /** Audio that waits to be played, as of the last call. */
  get queuedMs(): number {
    return this.#queue.bytes / this.#bytesPerSample / this.#samplesPerMs;
  }

  /** Audio that came when the buffer was full. */
  get droppedMs(): number {
    return this.#droppedMs;
  }

  get isPlaying(): boolean {
    return this.#run !== undefined;
  }

  /** Whether there is neither anything playing nor anything that waits. */
  get isIdle(): boolean {
    return this.#run === undefined && this.#queue.isEmpty;
  }

  /** When something happens next without anybody's doing. */
  get nextEventMs(): number | undefined {
    if (this.#isPaused) return undefined;
    if (!this.#run) return this.#queue.bytes > 0 ? this.#dueMs : undefined;
    const samples = this.#queue.bytesBeforeMark / this.#bytesPerSample;
    return this.#timeOf(this.#run, this.#run.samples + samples);
  }

  /**
   * @param audio whole samples; not copied.
   * @returns whether there was room for it.
   */
  push(audio: Uint8Array, nowMs: number): boolean {
    this.#advance(nowMs);
    if (this.queuedMs >= this.#rules.capacityMs) {
      this.#droppedMs += audio.length / this.#bytesPerSample / this.#samplesPerMs;
      return false;
    }
    if (!this.#run && this.#queue.bytes === 0) this.#dueMs = nowMs + this.#rules.prefillMs;
    this.#queue.pushAudio(audio);
    const { flow } = this.#rules;
    if (flow && this.#isOpen && this.queuedMs >= flow.offMs) this.#setOpen(false, nowMs);
    this.#advance(nowMs);
    return true;
  }

  /** The mark is answered when everything before it has been played; at once if that is nothing. */
  mark(name: string, nowMs: number): void {
    this.#advance(nowMs);
    this.#queue.pushMark(name);
    this.#advance(nowMs);
  }

  /** Drops what waits; the frame that is being played is heard to its end. */
  clear(nowMs: number): void {
    this.#advance(nowMs);
    const run = this.#run;
    const tail = run ? this.#takeRestOfFrame(run) : undefined;
    const droppedMs = this.queuedMs;
    const marks = this.#queue.clear();
    if (this.#rules.clearedMarks === 'echoed at once') {
      for (const name of marks) this.#emit({ type: 'mark', name, isCleared: true, atMs: nowMs });
    }
    this.#emit({ type: 'cleared', atMs: nowMs });
    let silentAtMs: number | undefined;
    if (run) {
      if (tail) this.#queue.pushAudio(tail);
      run.cutAtSample = run.samples + this.#queue.bytes / this.#bytesPerSample;
      silentAtMs = this.#timeOf(run, run.cutAtSample);
    }
    this.clears.push({ atMs: nowMs, silentAtMs, droppedMs });
    if (!this.#isOpen) this.#setOpen(true, nowMs);
    this.#advance(nowMs);
  }

  /** Silence until `resume`, with everything kept. */
  pause(nowMs: number): void {
    this.#advance(nowMs);
    this.#isPaused = true;
    if (this.#run) this.#endRun(this.#run, nowMs, 'cut');
  }

  resume(nowMs: number): void {
    this.#advance(nowMs);
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#dueMs = nowMs;
    this.#advance(nowMs);
  }

  /** @returns what has happened since the last time, in order. */
  advance(nowMs: number): readonly PlayoutEvent[] {
    this.#advance(nowMs);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The call is over; what waits is not heard any more. */
  end(nowMs: number): void {
    this.#advance(nowMs);
    if (this.#run) this.#endRun(this.#run, nowMs, 'hang-up');
    this.#queue.clear();
  }

  #advance(nowMs: number): void {
    while (!this.#isPaused) {
      const run = this.#run ?? this.#startRun(nowMs);
      if (!run) return;
      if (!this.#play(run, nowMs)) return;
    }
  }

  /** Answers marks that nothing stands before, and begins to play when it is time. */
  #startRun(nowMs: number): Run | undefined {
    this.#answerMarks(nowMs);
    if (this.#queue.bytes === 0 || this.#dueMs > nowMs) return undefined;
    this.#run = { startMs: this.#dueMs, audio: [], samples: 0, cutAtSample: undefined };
    this.#emit({ type: 'started', atMs: this.#dueMs });
    return this.#run;
  }

  /** @returns whether there may be more to do. */
  #play(run: Run, nowMs: number): boolean {
    // The small part keeps a time that was computed from a sample from falling short of it.
    const dueSamples = Math.floor((nowMs - run.startMs) * this.#samplesPerMs + 1e-6);
    const bytes = Math.max(0, dueSamples - run.samples) * this.#bytesPerSample;
    const audio = this.#queue.takeBeforeMark(bytes);
    for (const piece of audio) {
      run.audio.push(piece);
      run.samples += piece.length / this.#bytesPerSample;
    }
    const atMs = this.#timeOf(run, run.samples);
    this.#checkRoom(atMs);
    if (this.#queue.bytesBeforeMark > 0) return false;
    if (this.#queue.bytes > 0) {
      this.#answerMarks(atMs);
      return true;
    }
    this.#answerMarks(atMs);
    const isCut = run.cutAtSample === run.samples;
    this.#endRun(run, atMs, isCut ? 'cut' : 'dry');
    return false;
  }

  #endRun(run: Run, atMs: number, end: HeardRun['end']): void {
    this.#run = undefined;
    this.runs.push({ startMs: run.startMs, endMs: atMs, audio: run.audio, end });
    if (this.#queue.isEmpty) this.#emit({ type: 'drained', atMs });
  }

  #answerMarks(atMs: number): void {
    for (const name of this.#queue.takeLeadingMarks()) {
      this.#emit({ type: 'mark', name, isCleared: false, atMs });
    }
  }

  #takeRestOfFrame(run: Run): Uint8Array | undefined {
    const rest = (this.#frameSamples - (run.samples % this.#frameSamples)) % this.#frameSamples;
    const pieces = this.#queue.takeAcrossMarks(rest * this.#bytesPerSample);
    return pieces.length === 0 ? undefined : Buffer.concat(pieces);
  }

  #checkRoom(atMs: number): void {
    const { flow } = this.#rules;
    if (flow && !this.#isOpen && this.queuedMs < flow.onMs) this.#setOpen(true, atMs);
  }

  #setOpen(isOpen: boolean, atMs: number): void {
    this.#isOpen = isOpen;
    this.#emit({ type: 'flow', isOpen, atMs });
  }

  #timeOf(run: Run, samples: number): number {
    return run.startMs + samples / this.#samplesPerMs;
  }

  #emit(event: PlayoutEvent): void {
    this.#events.push(event);
  }
}
