import { WebSocket } from 'ws';
import type { ServerProcess } from '../latency/server-process.ts';

/** What a call tells its bot, as far as benches look at it. */
export interface BotEvent {
  readonly type: string;
  readonly call_id?: string;
  readonly context_id?: string;
  readonly name?: string;
  readonly message?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** `performance.now()` when it came. */
  readonly atMs: number;
}

/** One websocket of a bot, with everything that it was told. */
class BotConnection {
  readonly events: BotEvent[] = [];
  readonly #socket: WebSocket;
  readonly #watchers = new Set<() => void>();
  #end: string | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      if (isBinary) return;
      const event = JSON.parse(String(data)) as Omit<BotEvent, 'atMs'>;
      this.events.push({ ...event, atMs: performance.now() });
      this.#notify();
    });
    socket.on('close', (code, reason) => {
      this.#end = `The bot's connection closed (${code}). ${reason}`;
      this.#notify();
    });
  }

  static async open(server: ServerProcess, path: string): Promise<BotConnection> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, {
      headers: { 'xi-api-key': server.apiKey },
      perMessageDeflate: false,
    });
    const connection = new BotConnection(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.on('error', reject);
    });
    return connection;
  }

  send(frame: object | Uint8Array): void {
    this.#socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame));
  }

  /** Waits for an event that has come, or will. @throws Error when the connection closes first. */
  async told(isIt: (event: BotEvent) => boolean): Promise<BotEvent> {
    while (true) {
      const event = this.events.find(isIt);
      if (event) return event;
      if (this.#end !== undefined) throw new Error(this.#end);
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  close(): void {
    this.#socket.terminate();
  }

  #notify(): void {
    const waiting = [...this.#watchers];
    this.#watchers.clear();
    for (const resolve of waiting) resolve();
  }
}

/** Learns of calls that wait for a bot. */
export class Lobby {
  readonly #connection: BotConnection;

  private constructor(connection: BotConnection) {
    this.#connection = connection;
  }

  static async enter(server: ServerProcess): Promise<Lobby> {
    return new Lobby(await BotConnection.open(server, '/v1/calls'));
  }

  /** @returns the id of the call that was placed with the parameter `bench`. */
  async callOf(bench: string): Promise<string> {
    const { call_id } = await this.#connection.told(
      ({ type, parameters }) => type === 'call_waiting' && parameters?.['bench'] === bench,
    );
    return call_id ?? '';
  }

  leave(): void {
    this.#connection.close();
  }
}

/** A bot on a call; every text is a context of its own. */
export class CallBot {
  readonly #connection: BotConnection;
  #turns = 0;

  private constructor(connection: BotConnection) {
    this.#connection = connection;
  }

  static async take(server: ServerProcess, callId: string): Promise<CallBot> {
    const connection = await BotConnection.open(server, `/v1/calls/${callId}`);
    await connection.told(({ type }) => type === 'call_start');
    return new CallBot(connection);
  }

  /** Has a text spoken. @returns the context that it is. */
  say(text: string): string {
    const context_id = `turn-${++this.#turns}`;
    this.#connection.send({ text: `${text} `, context_id, flush: true });
    this.#connection.send({ context_id, close_context: true });
    return context_id;
  }

  /** @param audio raw, in the call's format. */
  play(audio: Uint8Array): void {
    this.#connection.send(audio);
  }

  clear(): void {
    this.#connection.send({ type: 'clear' });
  }

  mark(name: string): void {
    this.#connection.send({ type: 'mark', name });
  }

  /** Waits until the last word of a text has been heard. */
  async heard(contextId: string): Promise<BotEvent> {
    return this.#connection.told(
      ({ type, context_id }) => type === 'context_end' && context_id === contextId,
    );
  }

  async marked(name: string): Promise<BotEvent> {
    return this.#connection.told((event) => event.type === 'mark' && event.name === name);
  }

  /** What was refused; there must be nothing. */
  get refusals(): readonly string[] {
    return this.#connection.events
      .filter(({ type }) => type === 'refusal' || type === 'error')
      .map(({ message }) => message ?? '');
  }

  close(): void {
    this.#connection.close();
  }
}
