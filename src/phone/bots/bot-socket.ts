import type { WebSocket } from 'ws';
import { type SpeechError, toSpeechError } from '../../domain/errors.ts';
import type { LiveWork } from '../../domain/live-work.ts';
import type { Bot, BotHold, CallCommand, CallEvent } from '../calls/call-messages.ts';
import { decodeBotMessage } from './bot-dialect.ts';
import { wireEvent, wireRefusal } from './bot-events.ts';
import { BotWire, type BotWireOptions } from './bot-wire.ts';

export interface BotSocketOptions extends Omit<BotWireOptions, 'receive'> {
  /** Whether the caller's audio is told in binary messages. */
  readonly sendsBinaryAudio: boolean;
}

/** Joins a bot's websocket to its call. Without a hold it reads nothing, and tells what it is told. */
export class BotSocket implements Bot, LiveWork {
  readonly #wire: BotWire;
  readonly #sendsBinaryAudio: boolean;
  #hold: BotHold | undefined;
  /** What the library had already read when it was told to pause. */
  #early: Array<string | Buffer> = [];

  constructor(socket: WebSocket, options: BotSocketOptions) {
    this.#sendsBinaryAudio = options.sendsBinaryAudio;
    this.#wire = new BotWire(socket, {
      writeDeadlineMs: options.writeDeadlineMs,
      receive: (message) => this.#receive(message),
      onEnd: (error) => {
        this.#hold?.release();
        options.onEnd(error);
      },
    });
  }

  /** The end of the call ends it. */
  get busy(): boolean {
    return !this.#wire.isEnded;
  }

  get isEnded(): boolean {
    return this.#wire.isEnded;
  }

  /** From now on the bot's commands go to its call. */
  join(hold: BotHold): void {
    if (this.#wire.isEnded) {
      hold.release();
      return;
    }
    this.#hold = hold;
    for (const message of this.#early.splice(0)) this.#receive(message);
    this.#wire.resume();
  }

  tell(event: CallEvent): void {
    if (event.type === 'caller-audio') {
      this.#wire.stream(this.#sendsBinaryAudio ? event.audio : wireEvent(event));
      return;
    }
    this.#wire.tell(wireEvent(event));
    if (event.type === 'call-end') this.#wire.close();
  }

  fail(error: SpeechError): void {
    this.#wire.close(error);
  }

  #receive(message: string | Buffer): void {
    if (!this.#hold) {
      this.#early.push(message);
      return;
    }
    const commands: readonly CallCommand[] =
      typeof message === 'string' ? decodeBotMessage(message) : [{ type: 'audio', audio: message }];
    for (const command of commands) this.#carryOut(this.#hold, command);
  }

  #carryOut(hold: BotHold, command: CallCommand): void {
    if (this.#wire.isEnded) return;
    try {
      hold.command(command);
    } catch (thrown) {
      const contextId = 'contextId' in command ? command.contextId : undefined;
      this.#wire.tell(wireRefusal(toSpeechError(thrown), contextId));
    }
  }
}
