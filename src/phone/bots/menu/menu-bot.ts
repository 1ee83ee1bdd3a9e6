import type {
  Bot,
  BotHold,
  CallCommand,
  CallEvent,
  CallRecord,
} from '../../calls/call-messages.ts';
import { type Menu, transferTargets } from './menu.ts';
import { type MenuAction, type MenuInput, MenuRun } from './menu-run.ts';

/** Speech that fails this often in a row will not come back within the call. */
const MAX_FAILURES = 3;

/** Does something after a while. @returns what calls it off. */
export type After = (durationMs: number, action: () => void) => () => void;

export const afterTimeout: After = (durationMs, action) => {
  const timer = setTimeout(action, durationMs);
  return () => clearTimeout(timer);
};

/** The built-in bot: walks a caller through a menu. */
export class MenuBot implements Bot {
  readonly transferTargets: ReadonlySet<string>;
  readonly #run: MenuRun;
  readonly #after: After;
  #hold: BotHold | undefined;
  #stopWaiting: (() => void) | undefined;
  /** What is being said, until it has been heard. */
  #spokenContext: string | undefined;
  #utterances = 0;
  #failures = 0;
  /** Commands may be answered before they return: inputs queue, so that each is taken whole. */
  readonly #inputs: MenuInput[] = [];
  #isTaking = false;

  constructor(menu: Menu, { start }: CallRecord, after: After = afterTimeout) {
    this.#after = after;
    this.transferTargets = transferTargets(menu);
    const numbers = Object.entries({ from: start.from, to: start.to });
    this.#run = new MenuRun(menu, new Map(numbers.map(([name, value]) => [name, value ?? ''])));
  }

  /** Starts to speak. */
  join(hold: BotHold): void {
    this.#hold = hold;
    this.#take({ type: 'begin' });
  }

  tell(event: CallEvent): void {
    switch (event.type) {
      case 'dtmf':
        this.#take({ type: 'key', key: event.digit });
        break;
      case 'context-end':
        if (event.contextId === this.#spokenContext) this.#failures = 0;
        this.#heard(event.contextId);
        break;
      case 'interruption':
        for (const { contextId } of event.cut) this.#heard(contextId);
        break;
      case 'refusal':
        if (event.contextId === undefined) this.#take({ type: 'transfer-failed' });
        else this.#failed(event.contextId);
        break;
      case 'call-end':
        this.#hold = undefined;
        this.#stopWaiting?.();
        break;
      case 'call-start':
      case 'caller-audio':
      case 'caller-speech-start':
      case 'caller-speech-end':
      case 'mark-heard':
        break;
    }
  }

  #heard(contextId: string): void {
    if (contextId !== this.#spokenContext) return;
    this.#spokenContext = undefined;
    this.#take({ type: 'heard' });
  }

  /** The menu goes on as if it had been heard: what comes next may be spoken again. */
  #failed(contextId: string): void {
    if (contextId !== this.#spokenContext) return;
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) this.#heard(contextId);
    else this.#command({ type: 'hang-up', when: 'now' });
  }

  #take(input: MenuInput): void {
    this.#inputs.push(input);
    if (this.#isTaking) return;
    this.#isTaking = true;
    for (let next = this.#inputs.shift(); next; next = this.#inputs.shift()) this.#carryOut(next);
    this.#isTaking = false;
  }

  #carryOut(input: MenuInput): void {
    if (!this.#hold) return;
    const actions = this.#run.take(input);
    if (actions.length > 0) this.#stopWaiting?.();
    for (const action of actions) this.#act(action);
  }

  #act(action: MenuAction): void {
    switch (action.type) {
      case 'say':
        this.#say(action.text);
        break;
      case 'clear':
        this.#spokenContext = undefined;
        this.#command({ type: 'clear' });
        break;
      case 'wait':
        this.#stopWaiting = this.#after(action.durationMs, () => this.#take({ type: 'timeout' }));
        break;
      case 'transfer':
        if (!this.#command(action)) this.#take({ type: 'transfer-failed' });
        break;
      case 'hang-up':
        this.#command({ type: 'hang-up', when: 'after-speech' });
        break;
    }
  }

  #say(text: string): void {
    this.#utterances += 1;
    const contextId = `menu-${this.#utterances}`;
    this.#spokenContext = contextId;
    const isTaken =
      this.#command({ type: 'text', contextId, text, trigger: false }) &&
      this.#command({ type: 'context-close', contextId });
    if (!isTaken) this.#failed(contextId);
  }

  /** @returns whether the call took it. */
  #command(command: CallCommand): boolean {
    try {
      this.#hold?.command(command);
      return true;
    } catch {
      return false;
    }
  }
}
