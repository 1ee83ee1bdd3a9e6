import type { Credentials } from '../../domain/account.ts';
import { type SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { SpeechCommand, SpeechEvent } from './messages.ts';
import {
  type ContextCommand,
  SpeechContexts,
  type SpeechContextsPorts,
} from './speech-contexts.ts';

/** What a connection must supply: how it admits a key, opens contexts, and is spoken back to. */
export interface SessionPorts extends Pick<SpeechContextsPorts, 'beginSpeech' | 'now'> {
  /**
   * Checks the caller's key and everything asked for at connect; throws the first `SpeechError`.
   * @param carried by the first message.
   */
  readonly admit: (carried: Credentials | undefined) => Promise<void>;
  readonly emit: (event: SpeechEvent) => void;
  /** Called exactly once; no event follows. */
  readonly onEnd: (error: SpeechError | undefined) => void;
  /** Whether an error may end its context alone, and not the connection. */
  readonly hasContexts?: boolean;
  /** Which errors do then; only that of text that cannot be said unless given. */
  readonly endsContextAlone?: (error: SpeechError) => boolean;
  /**
   * Readies what a command needs, before it is carried out; undefined when that is ready. All that
   * comes meanwhile waits. Rejects with the `SpeechError` that ends the command's context.
   */
  readonly ready?: (command: ContextCommand) => Promise<void> | undefined;
  /** What had to wait until a command was ready has been taken. */
  readonly onEased?: () => void;
}

type SessionState = 'new' | 'admitting' | 'open' | 'ending' | 'closed';

/**
 * The policy of one connection over its contexts: nothing is done before its key is admitted, and one
 * failure ends all. Knows no socket.
 */
export class Session {
  readonly #ports: SessionPorts;
  readonly #contexts: SpeechContexts;
  readonly #waiting: SpeechCommand[] = [];
  #state: SessionState = 'new';
  #isReadying = false;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#contexts = new SpeechContexts({
      ...ports,
      onEnded: (contextId, chunkNumber) => this.#contextEnded(contextId, chunkNumber),
      onFlushed: (contextId, chunkNumber) =>
        this.#tell({ type: 'flushed', contextId, chunkNumber }),
      onCleared: (contextId, chunkNumber) =>
        this.#tell({ type: 'cleared', contextId, chunkNumber }),
      onFailed: (error, contextId, chunkNumber) =>
        this.#contextFailed(error, contextId, chunkNumber),
    });
  }

  /** Whether any context is speaking or has work waiting. */
  get busy(): boolean {
    return this.#isReadying || this.#contexts.busy;
  }

  /** See `SpeechContexts.isCrowded`; while a context is readied, the next messages should wait too. */
  get isCrowded(): boolean {
    return this.#isReadying || this.#contexts.isCrowded;
  }

  /** Takes the commands of one message, in order. The first message may carry the key. */
  receive(commands: readonly SpeechCommand[]): void {
    if (this.#state === 'new') {
      this.#state = 'admitting';
      this.#waiting.push(...commands);
      void this.#admit();
    } else if (this.#state === 'admitting' || this.#isReadying) {
      this.#waiting.push(...commands);
    } else if (this.#state === 'open') {
      this.#handleAll(commands);
    }
  }

  /** Ends the connection with an error that the client is told about. */
  fail(error: SpeechError, contextId?: string): void {
    this.#fail(error, contextId, this.#contexts.chunkNumberOf(contextId));
  }

  /** See `SpeechContexts.closeIdle`. */
  closeIdleContexts(afterMs: number): number | undefined {
    return this.#contexts.closeIdle(afterMs);
  }

  /** See `SpeechContexts.speakHeld`. */
  speakHeld(contextId?: string): boolean {
    return this.#contexts.speakHeld(contextId);
  }

  /** The connection is gone: stops all work at once. */
  close(): void {
    this.#end(undefined);
  }

  async #admit(): Promise<void> {
    try {
      const carried = this.#waiting.find((command) => command.type === 'authenticate');
      await this.#ports.admit(carried?.credentials);
    } catch (thrown) {
      this.fail(toSpeechError(thrown));
      return;
    }
    if (this.#state !== 'admitting') return;
    this.#state = 'open';
    this.#handleAll(this.#waiting.splice(0));
  }

  #handleAll(commands: readonly SpeechCommand[]): void {
    for (const [index, command] of commands.entries()) {
      if (this.#state !== 'open') return;
      if (command.type === 'authenticate') continue;
      if (command.type === 'session-end') {
        this.#finish();
        return;
      }
      const readying = this.#ports.ready?.(command);
      if (readying) {
        void this.#handleReadied(command, readying, commands.slice(index + 1));
        return;
      }
      this.#contexts.handle(command);
    }
  }

  /** @param others what came in the same message behind the command. */
  async #handleReadied(
    command: ContextCommand,
    readying: Promise<void>,
    others: readonly SpeechCommand[],
  ): Promise<void> {
    this.#isReadying = true;
    try {
      await readying;
      if (this.#state === 'open') this.#contexts.handle(command);
    } catch (thrown) {
      this.#contextFailed(toSpeechError(thrown), command.contextId, 0);
    }
    this.#isReadying = false;
    this.#handleAll([...others, ...this.#waiting.splice(0)]);
    this.#ports.onEased?.();
  }

  #contextFailed(error: SpeechError, contextId: string | undefined, chunkNumber: number): void {
    const { hasContexts, endsContextAlone = isUnsayable } = this.#ports;
    if (!hasContexts || !endsContextAlone(error) || contextId === undefined) {
      this.#fail(error, contextId, chunkNumber);
    } else if (this.#state !== 'closed') {
      this.#ports.emit({ type: 'error', contextId, chunkNumber, error });
      this.#contextEnded(contextId, chunkNumber);
    }
  }

  #contextEnded(contextId: string, chunkNumber: number): void {
    if (this.#state === 'closed') return;
    this.#ports.emit({ type: 'context-end', contextId, chunkNumber });
    if (this.#state === 'ending' && this.#contexts.isEmpty) this.#end(undefined);
  }

  #tell(event: SpeechEvent): void {
    if (this.#state !== 'closed') this.#ports.emit(event);
  }

  #finish(): void {
    this.#state = 'ending';
    this.#contexts.closeAll();
    if (this.#contexts.isEmpty) this.#end(undefined);
  }

  #fail(error: SpeechError, contextId: string | undefined, chunkNumber: number): void {
    if (this.#state === 'closed') return;
    this.#ports.emit({ type: 'error', contextId, chunkNumber, error });
    this.#end(error);
  }

  #end(error: SpeechError | undefined): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#contexts.cancelAll();
    this.#ports.onEnd(error);
  }
}

function isUnsayable({ code }: SpeechError): boolean {
  return code === 'unsupported_script';
}
