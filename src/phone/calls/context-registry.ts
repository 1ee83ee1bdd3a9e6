import { BoundedMap } from '../../domain/bounded-map.ts';
import type { SpeechError } from '../../domain/errors.ts';
import { contextShut } from './call-errors.ts';
import { ContextSpeech } from './context-speech.ts';
import { UNNAMED_CONTEXT_ID } from './unnamed-context.ts';

/** Names of contexts that are remembered when nothing of them is left, or nothing has come yet. */
const MOST_REMEMBERED = 256;

/** The contexts of a call: those that live, and what must be known of those that do not. */
export class ContextRegistry {
  readonly #bytesPerMs: number;
  /** By key, the oldest first. */
  readonly #live = new Map<string, ContextSpeech>();
  /** Names that take no more text, and whether the bot knows. */
  readonly #shut = new BoundedMap<string, boolean>(MOST_REMEMBERED);
  /** Keys of contexts that have settings and no text yet, by name. */
  readonly #reserved = new BoundedMap<string, string>(MOST_REMEMBERED);
  #opened = 0;

  constructor(bytesPerMs: number) {
    this.#bytesPerMs = bytesPerMs;
  }

  /** In the order in which they began. */
  get live(): readonly ContextSpeech[] {
    return [...this.#live.values()];
  }

  byKey(key: string): ContextSpeech | undefined {
    return this.#live.get(key);
  }

  /** The context of that name that takes text. */
  open(contextId: string): ContextSpeech | undefined {
    return this.live.find((context) => context.contextId === contextId && context.state === 'open');
  }

  /** The last context of that name of which something is still to be heard. */
  latest(contextId: string): ContextSpeech | undefined {
    return this.live.findLast((context) => context.contextId === contextId);
  }

  begin(contextId: string): ContextSpeech {
    const key = this.reserveKey(contextId);
    this.#reserved.delete(contextId);
    const context = new ContextSpeech(contextId, key, this.#bytesPerMs);
    this.#live.set(context.key, context);
    return context;
  }

  delete(context: ContextSpeech): void {
    this.#live.delete(context.key);
  }

  /** The key that the next context of that name will have. */
  reserveKey(contextId: string): string {
    const key = this.#reserved.get(contextId) ?? `${this.#opened++}`;
    this.#reserved.set(contextId, key);
    return key;
  }

  /** A name takes no more text from now on; the unnamed context always does. */
  shut(contextId: string, isKnown: boolean): void {
    if (contextId === UNNAMED_CONTEXT_ID) return;
    this.#shut.set(contextId, isKnown || this.#shut.get(contextId) === true);
  }

  reopen(contextId: string): void {
    this.#shut.delete(contextId);
  }

  isShut(contextId: string): boolean {
    return this.#shut.has(contextId);
  }

  /** What its bot is to be told about text for a name that is shut; once. */
  complaint(contextId: string): SpeechError | undefined {
    if (this.#shut.get(contextId) !== false) return undefined;
    this.#shut.set(contextId, true);
    return contextShut(contextId);
  }
}
