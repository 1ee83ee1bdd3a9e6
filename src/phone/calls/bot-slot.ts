import { callEnded, callTaken } from './call-errors.ts';
import type { Bot, BotHold, CallCommand, CallEvent } from './call-messages.ts';

/** What happens while nobody listens is kept for the bot that comes: a caller may type ahead. */
const MOST_KEPT = 64;

export interface BotSlotParts {
  /** @throws SpeechError for a command that cannot be carried out. */
  readonly carryOut: (command: CallCommand) => void;
  readonly onTaken: () => void;
  /** The bot has gone while its call goes on. */
  readonly onLost: () => void;
}

/**
 * The place of a call's bot: taken once. Events are told in order and never inside of a command, so
 * that a bot in the same process may answer one with the other.
 */
export class BotSlot {
  readonly #parts: BotSlotParts;
  #state: 'empty' | 'taken' | 'left' = 'empty';
  #bot: Bot | undefined;
  #untold: CallEvent[] = [];
  #isTelling = false;

  constructor(parts: BotSlotParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#state === 'empty';
  }

  /**
   * @param first is told before everything else.
   * @throws SpeechError `call_taken`; `call_ended` when the call has no use for a bot any more.
   */
  attach(bot: Bot, first: CallEvent): BotHold {
    if (this.#state === 'taken') throw callTaken();
    if (this.#state === 'left') throw callEnded();
    this.#state = 'taken';
    this.#bot = bot;
    this.#untold.unshift(first);
    this.#tellSoon();
    this.#parts.onTaken();
    return {
      command: (command) => {
        if (this.#bot !== bot) throw callEnded();
        this.#parts.carryOut(command);
      },
      release: () => {
        if (this.#bot !== bot) return;
        this.dismiss();
        this.#parts.onLost();
      },
    };
  }

  tell(event: CallEvent): void {
    if (this.#state === 'left') return;
    if (this.#state === 'empty' && this.#untold.length >= MOST_KEPT) return;
    this.#untold.push(event);
    this.#tellSoon();
  }

  /** Tells the bot the last that it hears. Idempotent. */
  end(last: CallEvent): void {
    if (this.#state === 'taken') this.tell(last);
    const bot = this.#bot;
    this.#bot = undefined;
    this.#state = 'left';
    if (!bot) return;
    const untold = this.#untold.splice(0);
    queueMicrotask(() => {
      for (const event of untold) bot.tell(event);
    });
  }

  /** Nobody is told anything any more, and nobody may come. */
  dismiss(): void {
    this.#state = 'left';
    this.#bot = undefined;
    this.#untold = [];
  }

  #tellSoon(): void {
    if (this.#isTelling || this.#state !== 'taken') return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      while (this.#bot) {
        const event = this.#untold.shift();
        if (!event) return;
        this.#bot.tell(event);
      }
    });
  }
}
