import type { WebSocket } from 'ws';
import type { SpeechError } from '../../domain/errors.ts';
import type { LiveWork } from '../../domain/live-work.ts';
import type { CallRecord } from '../calls/call-messages.ts';
import { checkLobbyMessage } from './bot-dialect.ts';
import { wireCall } from './bot-events.ts';
import { BotWire, type BotWireOptions } from './bot-wire.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** Tells a bot which calls wait to be taken. */
export class LobbySocket implements LiveWork {
  readonly busy = false;
  readonly #wire: BotWire;
  #leave: (() => void) | undefined;

  constructor(socket: WebSocket, options: Omit<BotWireOptions, 'receive'>) {
    this.#wire = new BotWire(socket, {
      writeDeadlineMs: options.writeDeadlineMs,
      receive: (message) => checkLobbyMessage(String(message)),
      onEnd: (error) => {
        this.#leave?.();
        options.onEnd(error);
      },
    });
  }

  get isEnded(): boolean {
    return this.#wire.isEnded;
  }

  /** Tells of the calls that wait, and then of each that comes and goes. */
  watch(callRegistry: WaitingCalls, accountId: string): void {
    this.#leave = callRegistry.watch(accountId, {
      waiting: (call) => this.#tellWaiting(call),
      ended: (callId) => this.#wire.stream({ type: 'call_gone', call_id: callId }),
    });
    for (const call of callRegistry.waiting(accountId)) this.#tellWaiting(call);
    this.#wire.resume();
  }

  fail(error: SpeechError): void {
    this.#wire.close(error);
  }

  #tellWaiting(call: CallRecord): void {
    this.#wire.stream({ type: 'call_waiting', ...wireCall(call) });
  }
}
