import { BoundedMap } from '../../domain/bounded-map.ts';
import { countCharacters } from '../../domain/characters.ts';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import { Context } from './context.ts';
import type { SpeechCommand } from './messages.ts';
import { type OpeningSettings, SettledSettings } from './settled-settings.ts';
import type { SpeechPipeline } from './speech-pipeline.ts';

/** The most contexts that may be open at once (PROTOCOL §2). */
const MAX_OPEN_CONTEXTS = 5;
/** More contexts than this, nearly all of them closed and still speaking, are a crowd. */
const CROWD = 32;
/** Text that may wait ahead of speech: over an hour of it, far more than a turn of a conversation. */
const MAX_WAITING_CHARS = 100_000;
/**
 * How many ended context ids are remembered, so that late frames for them are not taken as new; and
 * for how many ids settings are kept that no text has followed yet.
 */
const REMEMBERED_CONTEXTS = 256;

/** What may be asked of contexts. */
export type ContextCommand = Exclude<
  SpeechCommand,
  { readonly type: 'authenticate' | 'session-end' }
>;

export interface SpeechContextsPorts {
  /** Chooses what a context speaks with, when its first text has arrived. */
  readonly beginSpeech: (contextId: string, settings: OpeningSettings) => SpeechPipeline;
  /** A context was closed, or cut off, as it was asked to be: nothing more is made for it. */
  readonly onEnded: (contextId: string, chunkNumber: number) => void;
  /** All text before a flush has been spoken. */
  readonly onFlushed?: (contextId: string, chunkNumber: number) => void;
  /** Nothing of what was said before a clear follows. */
  readonly onCleared?: (contextId: string, chunkNumber: number) => void;
  /** A command could not be carried out, or speech failed. The context has ended, if there was one. */
  readonly onFailed: (
    error: SpeechError,
    contextId: string | undefined,
    chunkNumber: number,
  ) => void;
  /** Milliseconds that never go back; `performance.now()` unless given. */
  readonly now?: () => number;
}

interface LiveContext {
  readonly context: Context;
  readonly settings: SettledSettings;
}

/** The contexts of one connection or call: their lives, their limits, and an error of each alone. */
export class SpeechContexts {
  readonly #ports: SpeechContextsPorts;
  readonly #live = new Map<string, LiveContext>();
  /** Settings that came before any text. */
  readonly #early = new BoundedMap<string, SettledSettings>(REMEMBERED_CONTEXTS);
  readonly #ended = new BoundedMap<string, true>(REMEMBERED_CONTEXTS);
  readonly #defaults = new SettledSettings();

  constructor(ports: SpeechContextsPorts) {
    this.#ports = ports;
  }

  /** Whether no context is left that is open or speaking. */
  get isEmpty(): boolean {
    return this.#live.size === 0;
  }

  /** Whether any context is speaking or has work waiting. */
  get busy(): boolean {
    return this.#contexts.some((context) => context.busy);
  }

  /**
   * Whether more contexts speak than a client that is interrupted again and again could have. Its
   * next messages should wait: closed contexts count toward no limit, and each costs memory.
   */
  get isCrowded(): boolean {
    return this.#live.size > CROWD;
  }

  /** Whether a context is speaking or has work waiting. */
  isBusy(contextId: string): boolean {
    return this.#live.get(contextId)?.context.busy ?? false;
  }

  /** Of the chunk that a context speaks, or spoke last; 0 where there is none. */
  chunkNumberOf(contextId: string | undefined): number {
    return contextId === undefined ? 0 : (this.#live.get(contextId)?.context.chunkNumber ?? 0);
  }

  /** Carries a command out. What is wrong with it ends its context, and `onFailed` is told. */
  handle(command: ContextCommand): void {
    try {
      this.#handle(command);
    } catch (thrown) {
      const error = toSpeechError(thrown);
      const { contextId } = command;
      const live = contextId === undefined ? undefined : this.#live.get(contextId);
      if (live) live.context.fail(error);
      else this.#ports.onFailed(error, contextId, 0);
    }
  }

  /**
   * Closes each open context in which nothing has been said, and to which nothing, for `afterMs`. As
   * with any close, text that it still holds is spoken first.
   *
   * @returns in how many milliseconds the next one may be due; undefined when none is open.
   */
  closeIdle(afterMs: number): number | undefined {
    const open = this.#open;
    const idle = open.filter(({ idleMs }) => idleMs >= afterMs);
    for (const context of idle) context.close();
    const others = open.filter((context) => !idle.includes(context));
    if (others.length === 0) return undefined;
    return Math.min(...others.map(({ idleMs }) => afterMs - idleMs));
  }

  /**
   * Speaks what open contexts still hold.
   * @param contextId of one alone; of all unless given.
   * @returns whether there was anything.
   */
  speakHeld(contextId?: string): boolean {
    const asked = this.#open.filter(({ id }) => contextId === undefined || id === contextId);
    const holding = asked.filter(({ isIdle }) => !isIdle);
    for (const context of holding) context.flush();
    return holding.length > 0;
  }

  /** Takes no more text: every open context speaks what it has, and ends. */
  closeAll(): void {
    for (const context of this.#open) context.close();
  }

  /** Stops all work at once. */
  cancelAll(): void {
    for (const context of this.#contexts) context.cancel();
  }

  get #contexts(): readonly Context[] {
    return [...this.#live.values()].map(({ context }) => context);
  }

  get #open(): readonly Context[] {
    return this.#contexts.filter(({ state }) => state === 'open');
  }

  #handle(command: ContextCommand): void {
    switch (command.type) {
      case 'configure':
        this.#settingsOf(command.contextId).offer(command.settings);
        this.#touch(command.contextId);
        return;
      case 'text':
        this.#assertNotFlooded(command.text);
        this.#context(command.contextId).text(command.text, command.trigger, command.by);
        return;
      case 'flush':
        this.#flush(command.contextId);
        return;
      case 'clear':
        this.#clear(command.contextId);
        return;
      case 'context-close':
        if (command.isImmediate) this.#live.get(command.contextId)?.context.cancel();
        else this.#unendedContext(command.contextId)?.close();
        return;
      case 'keep-alive':
        this.#touch(command.contextId);
    }
  }

  #flush(contextId: string): void {
    const context = this.#unendedContext(contextId);
    const onFlushed = () => this.#ports.onFlushed?.(contextId, context?.chunkNumber ?? 0);
    if (context) context.flush(onFlushed);
    else onFlushed();
  }

  #clear(contextId: string): void {
    const chunkNumber = this.chunkNumberOf(contextId);
    this.#live.get(contextId)?.context.cancel();
    this.#ports.onCleared?.(contextId, chunkNumber);
  }

  #touch(contextId: string | undefined): void {
    if (contextId !== undefined) this.#live.get(contextId)?.context.touch();
    else for (const context of this.#contexts) context.touch();
  }

  #settingsOf(contextId: string | undefined): SettledSettings {
    if (contextId === undefined) return this.#defaults;
    const known = this.#live.get(contextId)?.settings ?? this.#early.get(contextId);
    if (known) return known;
    const fresh = new SettledSettings();
    this.#early.set(contextId, fresh);
    return fresh;
  }

  /** Text is cheaper to send than to speak: what waits must not grow with what is sent. */
  #assertNotFlooded(text: string): void {
    let waiting = countCharacters(text);
    for (const { context } of this.#live.values()) waiting += context.waitingChars;
    if (waiting <= MAX_WAITING_CHARS) return;
    throw new SpeechError(
      'text_too_long',
      `More than ${MAX_WAITING_CHARS} characters are waiting to be spoken. Send text as the conversation needs it.`,
    );
  }

  /** Late frames for a context that has ended must not bring it back. */
  #unendedContext(contextId: string): Context | undefined {
    if (this.#ended.has(contextId) && !this.#live.has(contextId)) return undefined;
    return this.#context(contextId);
  }

  #context(contextId: string): Context {
    const known = this.#live.get(contextId);
    if (known) return known.context;
    this.#makeRoom();
    const settings = this.#early.get(contextId) ?? new SettledSettings();
    this.#early.delete(contextId);
    const begin = () => this.#ports.beginSpeech(contextId, settings.open(this.#defaults.current));
    const context: Context = new Context(
      contextId,
      begin,
      (error) => this.#closed(context, error),
      this.#ports.now,
    );
    this.#live.set(contextId, { context, settings });
    return context;
  }

  /** A context that has nothing to say makes room, before the client is refused another. */
  #makeRoom(): void {
    const open = this.#open;
    if (open.length < MAX_OPEN_CONTEXTS) return;
    const idle = open.find((context) => context.isIdle);
    if (!idle) throw tooManyContexts();
    idle.close();
  }

  #closed({ id: contextId, chunkNumber }: Context, error: SpeechError | undefined): void {
    this.#live.delete(contextId);
    this.#ended.set(contextId, true);
    if (error) this.#ports.onFailed(error, contextId, chunkNumber);
    else this.#ports.onEnded(contextId, chunkNumber);
  }
}

function tooManyContexts(): SpeechError {
  return new SpeechError(
    'max_active_conversations',
    `This connection has ${MAX_OPEN_CONTEXTS} open contexts, the most it may have. Close one with {"context_id":"…","close_context":true} before starting another.`,
  );
}
