/** What a caller means to do. */
export interface CallPlan {
  /** Keys to press, in order: 0–9, *, #, A–D; "w" waits half a second, "W" a whole one. */
  readonly keys: string;
  /** Whether there is something to say. */
  readonly speaks: boolean;
  /** Speaks and presses keys this long after the first word is heard, not at once. */
  readonly bargeInMs: number | undefined;
  /** Hangs up then; without it, when nothing is left to do and the other side has fallen silent. */
  readonly hangUpAtMs: number | undefined;
}

/** How the call stands; times are of the call. */
export interface CallState {
  readonly atMs: number;
  readonly firstAudioAtMs: number | undefined;
  /** Whether something is heard. */
  readonly isPlaying: boolean;
  /** When the last thing that was heard ended. */
  readonly lastHeardMs: number | undefined;
  /** Whether the caller has not finished speaking. */
  readonly isSpeaking: boolean;
}

export type PhoneAction =
  | { readonly type: 'say' }
  | { readonly type: 'press'; readonly digit: string }
  | { readonly type: 'hang-up' };

/** A caller who does not barge in listens for a moment before they press keys. */
const KEYS_FROM_MS = 1000;
const KEY_INTERVAL_MS = 300;
const PAUSES: Readonly<Record<string, number>> = { w: 500, W: 1000 };
/** A bot that has said nothing for so long has finished. */
const QUIET_MS = 3000;
/** A bot that has not said anything at all is waited for so long. */
const PATIENCE_MS = 15_000;
const LONGEST_CALL_MS = 300_000;

/** @returns whether the keys can be pressed on a telephone. */
export function isKeys(keys: string): boolean {
  return /^[0-9*#A-DwW]*$/.test(keys);
}

/** Does what a caller means to do, when it is time. Pure: knows no clock. */
export class PhoneScript {
  readonly #plan: CallPlan;
  readonly #keys: ReadonlyArray<{ readonly digit: string; readonly afterMs: number }>;
  #keysPressed = 0;
  #hasSpoken = false;
  #lastActionMs = 0;

  constructor(plan: CallPlan) {
    this.#plan = plan;
    let afterMs = 0;
    const keys: { digit: string; afterMs: number }[] = [];
    for (const key of plan.keys) {
      const pauseMs = PAUSES[key];
      if (pauseMs === undefined) keys.push({ digit: key, afterMs });
      afterMs += pauseMs ?? KEY_INTERVAL_MS;
    }
    this.#keys = keys;
  }

  /** @returns what is due now, in order; each action once. */
  due(state: CallState): readonly PhoneAction[] {
    const actions: PhoneAction[] = [];
    const startMs = this.#startMs(state);
    if (startMs !== undefined && state.atMs >= startMs) {
      if (this.#plan.speaks && !this.#hasSpoken) {
        this.#hasSpoken = true;
        actions.push({ type: 'say' });
      }
      actions.push(...this.#dueKeys(state.atMs, startMs));
    }
    if (actions.length > 0) this.#lastActionMs = state.atMs;
    if (state.isSpeaking) this.#lastActionMs = state.atMs;
    if (this.#isOver(state)) actions.push({ type: 'hang-up' });
    return actions;
  }

  #startMs({ firstAudioAtMs }: CallState): number | undefined {
    const { bargeInMs } = this.#plan;
    if (bargeInMs === undefined) return 0;
    return firstAudioAtMs === undefined ? undefined : firstAudioAtMs + bargeInMs;
  }

  *#dueKeys(atMs: number, startMs: number): Generator<PhoneAction> {
    const fromMs = this.#plan.bargeInMs === undefined ? KEYS_FROM_MS : startMs;
    for (; this.#keysPressed < this.#keys.length; this.#keysPressed++) {
      const key = this.#keys[this.#keysPressed];
      if (!key || fromMs + key.afterMs > atMs) return;
      yield { type: 'press', digit: key.digit };
    }
  }

  #isOver(state: CallState): boolean {
    const { atMs, isPlaying, lastHeardMs, isSpeaking } = state;
    const { hangUpAtMs } = this.#plan;
    if (hangUpAtMs !== undefined) return atMs >= hangUpAtMs;
    if (atMs >= LONGEST_CALL_MS) return true;
    const hasMore = this.#keysPressed < this.#keys.length || this.#plan.speaks !== this.#hasSpoken;
    const hasHeard = state.firstAudioAtMs !== undefined;
    // One who barges in waits for something to interrupt, though not for ever.
    if (isPlaying || isSpeaking || (hasMore && hasHeard)) return false;
    const quietSinceMs = Math.max(this.#lastActionMs, lastHeardMs ?? 0);
    return atMs - quietSinceMs >= (hasHeard ? QUIET_MS : PATIENCE_MS);
  }
}
