import { countCharacters } from '../../domain/characters.ts';
import { SpeechError, toSpeechError } from '../../domain/errors.ts';
import { Context, type Voicing } from './context.ts';
import type { ContextSettings, SpeechCommand, SpeechEvent } from './messages.ts';
import { SettledSettings } from './settled-settings.ts';

/** The most contexts that one connection may have open at once (PROTOCOL §2). */
const MAX_OPEN_CONTEXTS = 5;
/** With more contexts than this, nearly all closed and still speaking, a session is crowded. */
const CROWD = 32;
/** Text that may wait ahead of speech: over an hour of it, far more than a turn of a conversation. */
const MAX_WAITING_CHARS = 100_000;
/**
 * How many ended context ids are remembered, so that late frames for them are not taken as new; and
 * for how many ids settings are kept that no text has followed yet.
 */
const REMEMBERED_CONTEXTS = 256;

/** What a connection must supply: how it admits a key, opens contexts, and is spoken back to. */
export interface SessionPorts {
  /** Checks the caller's key and everything asked for at connect; throws the first `SpeechError`. */
  readonly admit: (key: string | undefined) => Promise<void>;
  /** Chooses what a context speaks with, when its first text has arrived. */
  readonly beginSpeech: (contextId: string, settings: ContextSettings) => Voicing;
  readonly emit: (event: SpeechEvent) => void;
  /** Called exactly once; no event follows. */
  readonly onEnd: (error: SpeechError | undefined) => void;
  /** Milliseconds that never go back; `performance.now()` unless given. */
  readonly now?: () => number;
}

type SessionState = 'new' | 'admitting' | 'open' | 'ending' | 'closed';

/** All contexts of one connection. Knows no socket. */
export class Session {
  readonly #ports: SessionPorts;
  readonly #contexts = new Map<string, Context>();
  readonly #settings = new Map<string, SettledSettings>();
  readonly #ended = new Set<string>();
  readonly #defaults = new SettledSettings();
  readonly #waiting: SpeechCommand[] = [];
  #state: SessionState = 'new';

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Whether any context is speaking or has work waiting. */
  get busy(): boolean {
    return [...this.#contexts.values()].some((context) => context.busy);
  }

  /** Whether a context is speaking or has work waiting. */
  isBusy(contextId: string): boolean {
    return this.#contexts.get(contextId)?.busy ?? false;
  }

  /**
   * Whether more contexts speak than a client that is interrupted again and again could have. Its
   * next messages should wait: closed contexts count toward no limit, and each costs memory.
   */
  get isCrowded(): boolean {
    return this.#contexts.size > CROWD;
  }

  /** Takes the commands of one message, in order. The first message may carry the key. */
  receive(commands: readonly SpeechCommand[]): void {
    if (this.#state === 'new') {
      this.#state = 'admitting';
      this.#waiting.push(...commands);
      void this.#admit();
    } else if (this.#state === 'admitting') {
      this.#waiting.push(...commands);
    } else if (this.#state === 'open') {
      this.#handleAll(commands);
    }
  }

  /** Ends the connection with an error that the client is told about. */
  fail(error: SpeechError, contextId?: string): void {
    const context = contextId === undefined ? undefined : this.#contexts.get(contextId);
    this.#fail(error, contextId, context?.chunkNumber ?? 0);
  }

  /**
   * Closes each open context in which nothing has been said, and to which nothing, for `afterMs`. As
   * with any close, text that it still holds is spoken first.
   *
   * @returns in how many milliseconds the next one may be due; undefined when none is open.
   */
  closeIdleContexts(afterMs: number): number | undefined {
    const open = [...this.#contexts.values()].filter(({ state }) => state === 'open');
    const idle = open.filter(({ idleMs }) => idleMs >= afterMs);
    for (const context of idle) context.close();
    const others = open.filter((context) => !idle.includes(context));
    if (others.length === 0) return undefined;
    return Math.min(...others.map(({ idleMs }) => afterMs - idleMs));
  }

  /** The connection is gone: stops all work at once. */
  close(): void {
    this.#end(undefined);
  }

  async #admit(): Promise<void> {
    try {
      const carried = this.#waiting.find((command) => command.type === 'authenticate');
      await this.#ports.admit(carried?.key);
    } catch (thrown) {
      this.fail(toSpeechError(thrown));
      return;
    }
    if (this.#state !== 'admitting') return;
    this.#state = 'open';
    this.#handleAll(this.#waiting.splice(0));
  }

  #handleAll(commands: readonly SpeechCommand[]): void {
    for (const command of commands) {
      if (this.#state !== 'open') return;
      try {
        this.#handle(command);
      } catch (thrown) {
        this.fail(toSpeechError(thrown), 'contextId' in command ? command.contextId : undefined);
      }
    }
  }

  #handle(command: SpeechCommand): void {
    switch (command.type) {
      case 'authenticate':
        return;
      case 'configure':
        this.#settingsOf(command.contextId).offer(command.settings);
        this.#touch(command.contextId);
        return;
      case 'text':
        this.#assertNotFlooded(command.text);
        this.#context(command.contextId).text(command.text, command.trigger);
        return;
      case 'flush':
        this.#liveContext(command.contextId)?.flush();
        return;
      case 'context-close':
        if (command.isImmediate) this.#contexts.get(command.contextId)?.cancel();
        else this.#liveContext(command.contextId)?.close();
        return;
      case 'keep-alive':
        this.#touch(command.contextId);
        return;
      case 'session-end':
        this.#finish();
    }
  }

  #touch(contextId: string | undefined): void {
    if (contextId !== undefined) this.#contexts.get(contextId)?.touch();
    else for (const context of this.#contexts.values()) context.touch();
  }

  #settingsOf(contextId: string | undefined): SettledSettings {
    if (contextId === undefined) return this.#defaults;
    const known = this.#settings.get(contextId);
    if (known) return known;
    const fresh = new SettledSettings();
    this.#settings.set(contextId, fresh);
    if (this.#settings.size > REMEMBERED_CONTEXTS) this.#forgetOldestSettings();
    return fresh;
  }

  #forgetOldestSettings(): void {
    for (const contextId of this.#settings.keys()) {
      if (this.#contexts.has(contextId)) continue;
      this.#settings.delete(contextId);
      return;
    }
  }

  /** Text is cheaper to send than to speak: what waits must not grow with what is sent. */
  #assertNotFlooded(text: string): void {
    let waiting = countCharacters(text);
    for (const context of this.#contexts.values()) waiting += context.waitingChars;
    if (waiting <= MAX_WAITING_CHARS) return;
    throw new SpeechError(
      'text_too_long',
      `More than ${MAX_WAITING_CHARS} characters are waiting to be spoken. Send text as the conversation needs it.`,
    );
  }

  /** Late frames for a context that has ended must not bring it back. */
  #liveContext(contextId: string): Context | undefined {
    if (this.#ended.has(contextId) && !this.#contexts.has(contextId)) return undefined;
    return this.#context(contextId);
  }

  #context(contextId: string): Context {
    const known = this.#contexts.get(contextId);
    if (known) return known;
    this.#makeRoom();
    const begin = () =>
      this.#ports.beginSpeech(
        contextId,
        this.#settingsOf(contextId).settle(this.#defaults.current),
      );
    const context: Context = new Context(
      contextId,
      begin,
      (error) => this.#contextClosed(context, error),
      this.#ports.now,
    );
    this.#contexts.set(contextId, context);
    return context;
  }

  /** A context that has nothing to say makes room, before the connection is punished. */
  #makeRoom(): void {
    const open = [...this.#contexts.values()].filter((context) => context.state === 'open');
    if (open.length < MAX_OPEN_CONTEXTS) return;
    const idle = open.find((context) => context.isIdle);
    if (!idle) throw tooManyContexts();
    idle.close();
  }

  #contextClosed({ id: contextId, chunkNumber }: Context, error: SpeechError | undefined): void {
    this.#contexts.delete(contextId);
    this.#settings.delete(contextId);
    this.#ended.add(contextId);
    if (this.#ended.size > REMEMBERED_CONTEXTS) this.#ended.delete(first(this.#ended));
    if (this.#state === 'closed') return;
    if (error) {
      this.#fail(error, contextId, chunkNumber);
      return;
    }
    this.#ports.emit({ type: 'context-end', contextId, chunkNumber });
    if (this.#state === 'ending' && this.#contexts.size === 0) this.#end(undefined);
  }

  #finish(): void {
    this.#state = 'ending';
    for (const context of this.#contexts.values()) if (context.state === 'open') context.close();
    if (this.#contexts.size === 0) this.#end(undefined);
  }

  #fail(error: SpeechError, contextId: string | undefined, chunkNumber: number): void {
    if (this.#state === 'closed') return;
    this.#ports.emit({ type: 'error', contextId, chunkNumber, error });
    this.#end(error);
  }

  #end(error: SpeechError | undefined): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    for (const context of this.#contexts.values()) context.cancel();
    this.#contexts.clear();
    this.#ports.onEnd(error);
  }
}

function tooManyContexts(): SpeechError {
  return new SpeechError(
    'max_active_conversations',
    `This connection has ${MAX_OPEN_CONTEXTS} open contexts, the most it may have. Close one with {"context_id":"…","close_context":true} before starting another.`,
  );
}

function first<T>(items: Iterable<T>): T {
  for (const item of items) return item;
  throw new Error('Nothing to take from.');
}
