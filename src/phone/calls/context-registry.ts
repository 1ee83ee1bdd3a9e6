import type { SpeechError } from '../../domain/errors.ts';
import type { ContextSettings } from '../../synthesis/speech/messages.ts';
import { contextShut } from './call-errors.ts';
import { ContextSpeech } from './context-speech.ts';
import { UNNAMED_CONTEXT_ID } from './unnamed-context.ts';

/** Names of contexts that are remembered when nothing of them is left, or nothing has come yet. */
const MOST_REMEMBERED = 256;

/** The contexts of a call: those that live, and what must be known of those that do not. */
export class ContextRegistry {
  readonly #bytesPerMs: number;
  /** By the session's key, the oldest first. */
  readonly #live = new Map<string, ContextSpeech>();
  /** Names that take no more text, and whether the bot knows; the oldest first. */
  readonly #shut = new Map<string, boolean>();
  /** Settings that came before any text. */
  readonly #settings = new Map<string, ContextSettings>();
  #opened = 0;

  constructor(bytesPerMs: number) {
    this.#bytesPerMs = bytesPerMs;
  }

  /** In the order in which they began. */
  get live(): readonly ContextSpeech[] {
    return [...this.#live.values()];
  }

  byKey(key: string | undefined): ContextSpeech | undefined {
    return key === undefined ? undefined : this.#live.get(key);
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
    const context = new ContextSpeech(contextId, `${this.#opened++}`, this.#bytesPerMs);
    this.#live.set(context.key, context);
    return context;
  }

  delete(context: ContextSpeech): void {
    this.#live.delete(context.key);
  }

  keepSettings(contextId: string, settings: ContextSettings): void {
    const known = this.#settings.get(contextId);
    this.#settings.set(contextId, { ...known, ...settings });
    forgetOldest(this.#settings);
  }

  takeSettings(contextId: string): ContextSettings | undefined {
    const settings = this.#settings.get(contextId);
    this.#settings.delete(contextId);
    return settings;
  }

  /** A name takes no more text from now on; the unnamed context always does. */
  shut(contextId: string, isKnown: boolean): void {
    if (contextId === UNNAMED_CONTEXT_ID) return;
    this.#shut.set(contextId, isKnown || this.#shut.get(contextId) === true);
    forgetOldest(this.#shut);
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

function forgetOldest(names: Map<string, unknown>): void {
  if (names.size <= MOST_REMEMBERED) return;
  const [oldest] = names.keys();
  if (oldest !== undefined) names.delete(oldest);
}
