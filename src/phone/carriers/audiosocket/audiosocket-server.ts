import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ConnectionLimits } from '../../../api/identity/connection-limits.ts';
import { AudioSocketConnection, type AudioSocketDoor } from './audiosocket-connection.ts';

/** A peer whose machine is gone is found out by TCP itself, this long after its last word. */
const KEEP_ALIVE_MS = 15_000;
/** How long what was sent last may take to be read when the server closes. */
const HANG_UP_LIMIT_MS = 300;

/** How many connections are taken. */
export interface AudioSocketLimits {
  /** In all. */
  readonly maxConnections: number;
  /** From one address, on which no call has been named yet. */
  readonly maxUnknownPerAddress: number;
}

/** Listens for Asterisk's AudioSocket. */
export class AudioSocketServer {
  readonly #server: Server;
  readonly #connections = new Set<AudioSocketConnection>();

  constructor(door: AudioSocketDoor, given: AudioSocketLimits) {
    const limits = new ConnectionLimits({
      ...given,
      isTrustedProxy: () => false,
      // The protocol has no word for it.
      refuse: (_error, socket) => socket.destroy(),
    });
    this.#server = createServer({
      ...{ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
    });
    // Before anybody else: who is one too many is gone by then.
    limits.watch(this.#server);
    this.#server.on('connection', (socket) => {
      if (socket.destroyed) return;
      const onNamed = () => limits.recognise(socket);
      const connection = new AudioSocketConnection(socket, door, onNamed);
      this.#connections.add(connection);
      void connection.closed.then(() => this.#connections.delete(connection));
    });
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /**
   * @param port 0 takes any free one.
   * @returns where it listens.
   * @throws the system's error when the port is taken.
   */
  async listen(host: string, port: number): Promise<AddressInfo> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return this.#server.address() as AddressInfo;
  }

  /** Takes no more connections; those there are go on. Idempotent. */
  stopListening(): void {
    this.#server.close();
  }

  /**
   * Takes no more calls and hangs up those there are. Resolves when every connection is gone, which
   * its other side cannot put off for long.
   */
  async close(): Promise<void> {
    this.stopListening();
    const connections = [...this.#connections];
    for (const connection of connections) connection.hangUp();
    const cut = setTimeout(() => {
      for (const connection of connections) connection.cut();
    }, HANG_UP_LIMIT_MS);
    await Promise.all(connections.map(({ closed }) => closed));
    clearTimeout(cut);
  }
}
