import type { SpeechError } from '../../domain/errors.ts';
import type { FrameSink } from '../../synthesis/speech/frame-writer.ts';
import type { ContextSettings } from '../../synthesis/speech/messages.ts';
import type { OpeningSettings } from '../../synthesis/speech/settled-settings.ts';
import { SpeechContexts } from '../../synthesis/speech/speech-contexts.ts';
import type { SpeechPipeline } from '../../synthesis/speech/speech-pipeline.ts';
import type { OpenContext } from '../../synthesis/speech/speech-services.ts';
import { tooManyContexts } from './call-errors.ts';
import type { CallCommand, CallEvent, CutSpeech } from './call-messages.ts';
import { ContextQueue } from './context-queue.ts';
import { ContextRegistry } from './context-registry.ts';
import type { ContextSpeech } from './context-speech.ts';
import type { Cue } from './playback.ts';
import { UNNAMED_CONTEXT_ID } from './unnamed-context.ts';

/** What a bot says in words. */
export type SpokenCommand = Extract<
  CallCommand,
  { type: 'configure' | 'text' | 'flush' | 'context-close' }
>;

export interface CallVoiceParts {
  /** Of the call's spoken format. */
  readonly bytesPerMs: number;
  readonly beginSpeech: OpenContext;
  /** Audio that the caller has heard of a context: until now, or at a position of the caller's. */
  readonly heardMs: (context: ContextSpeech, positionMs?: number) => number;
  /** Audio that lies at the carrier and has not been heard. */
  readonly sentAheadMs: () => number;
  /** A context is over, and all of it was heard or dropped. */
  readonly onForgotten: (context: ContextSpeech) => void;
  readonly tell: (event: CallEvent) => void;
  /** There may be something new to be sent. */
  readonly onOffered: () => void;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** All that is said on a call: contexts become audio here, and take their places in its order. */
export class CallVoice {
  readonly order: ContextQueue;
  readonly #parts: CallVoiceParts;
  readonly #registry: ContextRegistry;
  readonly #contexts: SpeechContexts;

  constructor(parts: CallVoiceParts) {
    this.#parts = parts;
    this.#registry = new ContextRegistry(parts.bytesPerMs);
    this.order = new ContextQueue((context) => this.#isBusy(context));
    this.#contexts = new SpeechContexts({
      beginSpeech: (key, settings) => this.#begin(key, settings),
      onEnded: (key) => this.#spoken(key),
      onFailed: (error, key) => this.#failed(error, key),
      now: parts.now,
    });
  }

  /** @throws SpeechError when it cannot be carried out. */
  command(command: SpokenCommand): void {
    switch (command.type) {
      case 'configure':
        this.#configure(command.contextId, command.settings);
        return;
      case 'text':
        this.#write(command);
        return;
      case 'flush': {
        const context = this.#registry.open(command.contextId);
        if (context) this.#flush(context);
        return;
      }
      case 'context-close':
        this.#close(command.contextId, command.isImmediate ?? false);
    }
  }

  /**
   * Happens when everything said so far has been heard; text that waits for more is spoken as it is.
   * @throws SpeechError when too much waits.
   */
  cue(cue: Cue): void {
    this.#enter(() => this.order.cue(cue));
  }

  /** Is heard after everything said so far. @throws SpeechError when too much waits. */
  audio(audio: Uint8Array): void {
    this.#enter(() => this.order.audio(audio));
  }

  /** No more text will come in any context. */
  closeAll(): void {
    for (const context of this.#registry.live) if (context.state === 'open') this.#end(context);
  }

  /**
   * Falls silent: drops all that has not been heard.
   * @param positionMs up to which the caller hears.
   * @returns what was dropped, in the order in which it was to be heard.
   */
  cut(positionMs: number): readonly CutSpeech[] {
    this.order.clear();
    const cut: CutSpeech[] = [];
    for (const context of this.#registry.live) {
      const { contextId, transcript, state } = context;
      const audioMs = this.#parts.heardMs(context, positionMs);
      const { heard, unheard } = transcript.split(audioMs);
      context.drop();
      if (unheard !== '') {
        cut.push({ contextId, heard, unheard, heardMs: transcript.heardMs(audioMs) });
        this.#registry.shut(contextId, false);
        this.#lose(context);
      } else if (state !== 'open') {
        this.#lose(context);
        this.#tellEnd(contextId);
      }
    }
    return cut;
  }

  /** Stops all work, and tells nothing. */
  close(): void {
    for (const context of this.#registry.live) {
      context.state = 'lost';
      context.drop();
      this.#registry.delete(context);
    }
    this.order.clear();
    this.#contexts.cancelAll();
  }

  #enter(enter: () => void): void {
    const unflushed = this.#registry.live.filter(({ isUnflushed }) => isUnflushed);
    // What waits for more text may have lost its place to others: it comes before what is entered.
    for (const context of unflushed) this.order.speech(context);
    enter();
    for (const context of unflushed) this.#flush(context);
    this.#parts.onOffered();
  }

  #configure(contextId: string | undefined, settings: ContextSettings): void {
    if (contextId === undefined) {
      this.#contexts.handle({ type: 'configure', settings });
      return;
    }
    const key = this.#registry.open(contextId)?.key ?? this.#registry.reserveKey(contextId);
    this.#contexts.handle({ type: 'configure', contextId: key, settings });
  }

  #write({ contextId, text, trigger }: Extract<SpokenCommand, { type: 'text' }>): void {
    const open = this.#registry.open(contextId);
    // A leading blank is the protocol's way to say hello: not text.
    if (!open && text.trim() === '') return;
    if (this.#registry.isShut(contextId)) {
      const error = this.#registry.complaint(contextId);
      if (error) this.#parts.tell({ type: 'refusal', contextId, error });
      return;
    }
    const context = open ?? this.#open(contextId);
    if (contextId === UNNAMED_CONTEXT_ID) this.#tellTurnsApart(context);
    context.transcript.write(text);
    context.isUnflushed = true;
    this.order.speech(context);
    this.#contexts.handle({ type: 'text', contextId: context.key, text, trigger });
  }

  #open(contextId: string): ContextSpeech {
    if (this.#contexts.isCrowded) throw tooManyContexts();
    return this.#registry.begin(contextId);
  }

  /** Turns that have no names are told apart by the silence between them. */
  #tellTurnsApart(context: ContextSpeech): void {
    const { transcript, hasWaiting } = context;
    if (transcript.isAwaited || hasWaiting) return;
    const audioMs = this.#parts.heardMs(context);
    if (transcript.split(audioMs).unheard === '') transcript.restart(audioMs);
  }

  #flush(context: ContextSpeech): void {
    if (!context.isUnflushed || context.state !== 'open') return;
    context.isUnflushed = false;
    this.order.speech(context);
    this.#contexts.handle({ type: 'flush', contextId: context.key });
  }

  /** As in a session, closing again what is still being spoken cuts it off. */
  #close(contextId: string, isImmediate: boolean): void {
    const open = this.#registry.open(contextId);
    const latest = open ?? this.#registry.latest(contextId);
    if (open && !isImmediate) {
      this.#end(open);
    } else if (latest && latest.state !== 'ended') {
      this.#lose(latest);
      this.#tellEnd(contextId);
    } else if (!latest && !this.#registry.isShut(contextId)) {
      this.#tellEnd(contextId);
    }
  }

  #end(context: ContextSpeech): void {
    context.state = 'closing';
    context.isUnflushed = false;
    this.#registry.shut(context.contextId, false);
    this.order.speech(context);
    this.#contexts.handle({ type: 'context-close', contextId: context.key });
  }

  #lose(context: ContextSpeech): void {
    const isSpeaking = context.state !== 'ended';
    context.state = 'lost';
    context.drop();
    this.#forget(context);
    if (!isSpeaking) return;
    this.#contexts.handle({ type: 'context-close', contextId: context.key, isImmediate: true });
  }

  #forget(context: ContextSpeech): void {
    this.#registry.delete(context);
    this.#parts.onForgotten(context);
  }

  #tellEnd(contextId: string): void {
    this.#registry.reopen(contextId);
    this.#parts.tell({ type: 'context-end', contextId });
  }

  #isBusy(context: ContextSpeech): boolean {
    if (context.state === 'closing') return true;
    if (context.state !== 'open') return false;
    return this.#contexts.isBusy(context.key);
  }

  #begin(key: string, settings: OpeningSettings): SpeechPipeline {
    const context = this.#registry.byKey(key);
    const sink: FrameSink = async (audio, alignment) => {
      if (!context || context.state === 'lost') return;
      const room = context.offer(audio, alignment);
      this.order.speech(context);
      this.#parts.onOffered();
      await room;
    };
    return this.#parts.beginSpeech(settings, sink, {
      onSpoken: () => {
        if (context) this.#cueBehind(context, () => undefined);
      },
      aheadMs: () => {
        const queuedMs = context ? this.order.msBefore(context, this.#parts.bytesPerMs) : 0;
        return queuedMs + this.#parts.sentAheadMs();
      },
    });
  }

  /** Happens when all audio of the context so far has been heard. */
  #cueBehind(context: ContextSpeech, heard: () => void): void {
    if (context.state === 'lost') return;
    context.cue({ kind: 'own', heard });
    this.order.speech(context);
    this.#parts.onOffered();
  }

  #spoken(key: string): void {
    const context = this.#registry.byKey(key);
    if (!context) return;
    context.state = 'ended';
    this.#cueBehind(context, () => {
      this.#forget(context);
      this.#tellEnd(context.contextId);
    });
  }

  /** What was made before is still heard; what was not is lost, and its bot told. */
  #failed(error: SpeechError, key: string | undefined): void {
    const context = key === undefined ? undefined : this.#registry.byKey(key);
    if (!context) return;
    const { contextId } = context;
    context.state = 'ended';
    context.isUnflushed = false;
    this.#registry.shut(contextId, true);
    this.#parts.tell({ type: 'refusal', contextId, error });
    this.#cueBehind(context, () => this.#forget(context));
  }
}
