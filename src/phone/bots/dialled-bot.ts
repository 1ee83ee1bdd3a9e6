import { WebSocket } from 'ws';
import { MAX_PAYLOAD_BYTES } from '../../api/websocket/bounded-socket.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { Bot, BotHold, CallEvent } from '../calls/call-messages.ts';
import { BotSocket } from './bot-socket.ts';
import { wantsBinaryAudio } from './wants-binary-audio.ts';

export interface DialSettings {
  /** How long to wait before each further attempt; there are as many as there are waits. */
  readonly retryDelaysMs: readonly number[];
  /** Of one attempt. */
  readonly connectTimeoutMs: number;
  /** A bot that leaves what it is told unread for this long is cut; 10 000 unless given. */
  readonly writeDeadlineMs?: number;
}

/** A caller who hears nothing waits for about as long as a phone rings twice. */
export const DIAL_SETTINGS: DialSettings = {
  retryDelaysMs: [100, 400],
  connectTimeoutMs: 3000,
};

/** Where a bot is. Both come from the operator's lines file alone, never from a caller. */
export interface BotAddress {
  readonly url: string;
  /** May carry secrets: they go to the bot and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DialledBotOptions {
  readonly address: BotAddress;
  readonly settings: DialSettings;
  readonly onConnected: () => void;
  /** Once, when the bot is gone: not reached (`bot_unreachable`), lost, or done. */
  readonly onEnd: (error: SpeechError | undefined) => void;
}

/**
 * A bot that Sidetone connects to. It holds its call from the first moment on, so that nobody else
 * takes it; what happens before the connection stands is told then.
 */
export class DialledBot implements Bot {
  readonly #options: DialledBotOptions;
  #hold: BotHold | undefined;
  #dialling: WebSocket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #bot: BotSocket | undefined;
  #untold: CallEvent[] = [];
  #isEnded = false;

  constructor(options: DialledBotOptions) {
    this.#options = options;
  }

  /** Starts to dial. */
  join(hold: BotHold): void {
    this.#hold = hold;
    if (!this.#isEnded) this.#dial(0);
  }

  tell(event: CallEvent): void {
    if (this.#bot) this.#bot.tell(event);
    else if (event.type === 'call-end') this.#end(undefined);
    else this.#untold.push(event);
  }

  /** Ends the connection from our side; the bot is told why. */
  fail(error: SpeechError): void {
    if (this.#bot) this.#bot.fail(error);
    else this.#end(error);
  }

  #dial(attempt: number): void {
    const { address, settings } = this.#options;
    let socket: WebSocket;
    try {
      socket = new WebSocket(address.url, {
        headers: address.headers,
        handshakeTimeout: settings.connectTimeoutMs,
        // A redirect could carry the headers to another host.
        followRedirects: false,
        maxPayload: MAX_PAYLOAD_BYTES,
        perMessageDeflate: false,
      });
    } catch (cause) {
      this.#end(unreachable(attempt + 1, cause));
      return;
    }
    this.#dialling = socket;
    const onError = (cause: Error) => this.#tryAgain(attempt, cause);
    socket.once('error', onError);
    socket.once('open', () => {
      socket.off('error', onError);
      this.#connected(socket);
    });
  }

  #tryAgain(attempt: number, cause: Error): void {
    if (this.#isEnded) return;
    const delayMs = this.#options.settings.retryDelaysMs[attempt];
    if (delayMs === undefined) {
      this.#end(unreachable(attempt + 1, cause));
      return;
    }
    this.#retry = setTimeout(() => this.#dial(attempt + 1), delayMs);
  }

  #connected(socket: WebSocket): void {
    const hold = this.#hold;
    if (this.#isEnded || !hold) {
      socket.terminate();
      return;
    }
    const { address, settings, onConnected } = this.#options;
    const bot = new BotSocket(socket, {
      sendsBinaryAudio: wantsBinaryAudio(queryOf(address.url)),
      writeDeadlineMs: settings.writeDeadlineMs,
      onEnd: (error) => this.#end(error),
    });
    this.#bot = bot;
    onConnected();
    for (const event of this.#untold.splice(0)) bot.tell(event);
    bot.join(hold);
  }

  #end(error: SpeechError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#retry);
    // An attempt under way: ending it is itself an error, which has been heard of by now.
    this.#dialling?.on('error', () => undefined);
    if (!this.#bot) this.#dialling?.terminate();
    this.#hold?.release();
    this.#options.onEnd(error);
  }
}

function queryOf(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}

function unreachable(attempts: number, cause: unknown): SpeechError {
  return new SpeechError(
    'bot_unreachable',
    `The bot of this line could not be reached in ${attempts} attempts. See that its address in the lines file is right and that it accepts websockets.`,
    { cause },
  );
}
