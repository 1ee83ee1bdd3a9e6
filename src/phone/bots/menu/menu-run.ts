import type { InputRules, Menu, MenuState, MenuStep, RetryRule } from './menu.ts';
import { renderPrompt } from './prompts.ts';

/** What happens to a menu. */
export type MenuInput =
  | { readonly type: 'begin' }
  | { readonly type: 'key'; readonly key: string }
  /** The last text has been heard, or will not be. */
  | { readonly type: 'heard' }
  /** The time that was last asked for is over. */
  | { readonly type: 'timeout' }
  | { readonly type: 'transfer-failed' };

/** What a menu wants done. */
export type MenuAction =
  | { readonly type: 'say'; readonly text: string }
  /** Falls silent: what was said last is not of interest any more. */
  | { readonly type: 'clear' }
  /** Asks for `timeout` after a while, unless something else happens before. */
  | { readonly type: 'wait'; readonly durationMs: number }
  | { readonly type: 'transfer'; readonly to: string }
  /** Once everything has been heard. */
  | { readonly type: 'hang-up' };

type WaitingStep = Extract<MenuStep, { inputRules: InputRules }>;
type Phase = 'speaking' | 'waiting' | 'over';

/** One caller's way through a menu: pure, knows neither a call nor a clock. */
export class MenuRun {
  readonly #menu: Menu;
  readonly #values: Map<string, string>;
  #state: MenuState;
  #phase: Phase = 'speaking';
  #digits = '';
  /** How often each rule has been applied since the state was entered. */
  #setbacks = { timeout: 0, invalid: 0 };
  #actions: MenuAction[] = [];

  /** @param values that the call begins with: `from`, `to`. */
  constructor(menu: Menu, values: ReadonlyMap<string, string> = new Map()) {
    this.#menu = menu;
    this.#values = new Map(values);
    this.#state = stateOf(menu, menu.start);
  }

  /** @returns what is to be done now, in this order. */
  take(input: MenuInput): readonly MenuAction[] {
    this.#actions = [];
    if (input.type === 'begin') this.#enter(this.#menu.start);
    else if (input.type === 'transfer-failed') this.#transferFailed();
    else if (this.#phase !== 'over') this.#step(input);
    return this.#actions;
  }

  #step(input: Extract<MenuInput, { type: 'key' | 'heard' | 'timeout' }>): void {
    const { step } = this.#state;
    if (input.type === 'heard' && this.#phase === 'speaking') this.#spoken();
    else if (input.type === 'timeout' && this.#phase === 'waiting') this.#timedOut();
    else if (input.type === 'key' && 'inputRules' in step) this.#key(step, input.key);
  }

  #enter(name: string): void {
    this.#state = stateOf(this.#menu, name);
    this.#setbacks = { timeout: 0, invalid: 0 };
    this.#say('');
  }

  /** @param before said first. */
  #say(before: string): void {
    const { say, step } = this.#state;
    this.#digits = '';
    this.#phase = 'speaking';
    const text = [before, renderPrompt(say, this.#values)].filter((part) => part !== '').join(' ');
    if (text !== '') this.#actions.push({ type: 'say', text });
    // These wait until everything has been heard by themselves.
    if (step.type === 'transfer') this.#finish({ type: 'transfer', to: step.to });
    else if (step.type === 'hang-up') this.#finish({ type: 'hang-up' });
    else if (text === '') this.#spoken();
  }

  #spoken(): void {
    const { step } = this.#state;
    if (step.type === 'goto') this.#enter(step.goto);
    else if ('inputRules' in step) this.#await(step);
  }

  #await({ inputRules }: WaitingStep): void {
    this.#phase = 'waiting';
    this.#actions.push({ type: 'wait', durationMs: inputRules.timeoutMs });
  }

  #key(step: WaitingStep, key: string): void {
    if (this.#phase === 'speaking') {
      if (!this.#state.bargeIn) return;
      this.#actions.push({ type: 'clear' });
      this.#phase = 'waiting';
    }
    if (step.type === 'collect') {
      this.#collect(step, key);
      return;
    }
    const target = step.keys.get(key);
    if (target === undefined) this.#setBack('invalid', step.inputRules.invalid);
    else this.#enter(target);
  }

  #collect(step: Extract<WaitingStep, { type: 'collect' }>, key: string): void {
    if (/^[0-9]$/.test(key)) {
      this.#digits += key;
      if (this.#digits.length === step.maxDigits) this.#collected(step);
      else this.#await(step);
    } else if (key === step.endKey && this.#digits.length >= step.minDigits) {
      this.#collected(step);
    } else {
      this.#setBack('invalid', step.inputRules.invalid);
    }
  }

  #collected({ variable, goto }: Extract<WaitingStep, { type: 'collect' }>): void {
    this.#values.set(variable, this.#digits);
    this.#enter(goto);
  }

  #timedOut(): void {
    const { step } = this.#state;
    if (!('inputRules' in step)) return;
    // A caller who has typed enough and then waits need not know the key that ends it.
    const isEnough = step.type === 'collect' && this.#digits.length >= step.minDigits;
    if (isEnough) this.#collected(step);
    else this.#setBack('timeout', step.inputRules.timeout);
  }

  #setBack(kind: 'timeout' | 'invalid', { say, retries, goto }: RetryRule): void {
    this.#setbacks[kind] += 1;
    if (this.#setbacks[kind] <= retries) this.#say(renderPrompt(say, this.#values));
    else if (goto !== undefined) this.#enter(goto);
    else this.#finish({ type: 'hang-up' });
  }

  #transferFailed(): void {
    const { step } = this.#state;
    if (this.#phase !== 'over' || step.type !== 'transfer') return;
    if (step.failed === undefined) this.#finish({ type: 'hang-up' });
    else this.#enter(step.failed);
  }

  #finish(action: MenuAction): void {
    this.#phase = 'over';
    this.#actions.push(action);
  }
}

/** Menus are checked when they are read, so a name that leads nowhere is a fault of ours. */
function stateOf({ states }: Menu, name: string): MenuState {
  const state = states.get(name);
  if (!state) throw new Error(`The menu has no state "${name}".`);
  return state;
}
