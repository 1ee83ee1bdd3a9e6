import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import { SpeechError, toSpeechError } from '../../../domain/errors.ts';
import type {
  CarrierConnection,
  MediaStream,
  MediaStreamHandler,
} from '../../calls/media-stream.ts';
import { audiosocket } from './audiosocket.ts';
import type { AudioSocketCalls } from './audiosocket-calls.ts';
import {
  audioSocketPacket,
  HEADER_BYTES,
  PACKET,
  PacketParser,
  uuidOf,
} from './audiosocket-packets.ts';

/** A peer that has not named its call by then is no Asterisk. */
const ID_DEADLINE_MS = 10_000;
/** Asterisk sends a packet every 20 ms; one that has stopped for this long is gone. */
const SILENCE_DEADLINE_MS = 60_000;
/** What is left to write is lost when the peer takes longer than this over it. */
const CLOSE_DEADLINE_MS = 2000;
/** Six seconds at 8 kHz: a reader in real time is never this far behind. */
const MAX_UNSENT_BYTES = 100_000;

/** What connections need of the rest of the server. */
export interface AudioSocketDoor {
  readonly mediaStreams: MediaStreamHandler;
  readonly calls: AudioSocketCalls;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** 10 000 unless given. */
  readonly idDeadlineMs?: number;
  /** 60 000 unless given. */
  readonly silenceDeadlineMs?: number;
}

/** Joins one TCP connection of an Asterisk to one media stream: the only code that sees both. */
export class AudioSocketConnection {
  readonly #socket: Socket;
  readonly #door: AudioSocketDoor;
  readonly #onNamed: () => void;
  readonly #parser = new PacketParser();
  readonly #connection: CarrierConnection;
  /** Resolves when the connection is gone, and the desk has been told. */
  readonly closed: Promise<void>;
  #stream: MediaStream | undefined;
  #deadline: NodeJS.Timeout;
  #closing: NodeJS.Timeout | undefined;

  /** @param onNamed called when it has named a call that was announced. */
  constructor(socket: Socket, door: AudioSocketDoor, onNamed: () => void) {
    this.#socket = socket;
    this.#onNamed = onNamed;
    this.#door = door;
    this.#connection = {
      send: (messages) => this.#send(messages),
      get unsentBytes() {
        return socket.writableLength;
      },
      close: (error) => (error ? this.#refuse(error.message) : this.#close()),
    };
    this.#deadline = this.#deadlineIn(
      door.idDeadlineMs ?? ID_DEADLINE_MS,
      'it named no call in time',
    );
    socket.on('data', (bytes) => this.#receive(bytes));
    // Reported once more by `close`, which always follows.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#ended();
        resolve();
      });
    });
  }

  /** Ends the call from our side. Idempotent. */
  hangUp(): void {
    this.#send([audioSocketPacket(PACKET.hangUp, new Uint8Array(0))]);
    this.#close();
  }

  /** Ends the connection at once, whatever its other side has not read. */
  cut(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Uint8Array): void {
    if (this.#closing) return;
    // Bytes alone do not put off the first deadline.
    if (this.#stream) this.#deadline.refresh();
    try {
      for (const packet of this.#parser.push(bytes)) this.#packet(packet);
    } catch (thrown) {
      this.#refuse(toSpeechError(thrown).message);
    }
  }

  #packet(packet: Uint8Array): void {
    if (this.#closing) return;
    this.#stream ??= this.#open(packet);
    this.#stream.receive(packet);
  }

  /** @throws SpeechError when the first packet names no call that was announced. */
  #open(first: Uint8Array): MediaStream {
    const { calls, mediaStreams, silenceDeadlineMs } = this.#door;
    const call = first[0] === PACKET.id && calls.claim(uuidOf(first.subarray(HEADER_BYTES)));
    if (!call) {
      throw new SpeechError(
        'not_found',
        'its first packet is not the id of an announced call. Ask for an id at POST /v1/lines/{line}/audiosocket/call, and use it once, within a minute',
      );
    }
    this.#onNamed();
    clearTimeout(this.#deadline);
    this.#deadline = this.#deadlineIn(
      silenceDeadlineMs ?? SILENCE_DEADLINE_MS,
      'it has sent nothing for too long',
    );
    return mediaStreams.open({
      carrier: audiosocket,
      dialect: audiosocket.open({ headers: {}, query: call.parameters }),
      line: call.line,
      connection: this.#connection,
      admit: async () => ({ caller: call.caller }),
    });
  }

  #send(messages: readonly CarrierMessage[]): void {
    if (this.#closing || this.#socket.destroyed) return;
    for (const message of messages) this.#socket.write(message);
    if (this.#socket.writableLength <= MAX_UNSENT_BYTES) return;
    this.#log('it does not take what is sent to it');
    this.#socket.destroy();
  }

  #deadlineIn(ms: number, problem: string): NodeJS.Timeout {
    return setTimeout(() => this.#refuse(problem), ms);
  }

  #refuse(problem: string): void {
    if (this.#closing) return;
    this.#log(problem);
    this.hangUp();
  }

  #log(problem: string): void {
    this.#door.log.warn(
      { peer: this.#socket.remoteAddress },
      `AudioSocket connection ended: ${problem}`,
    );
  }

  #ended(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#closing);
    this.#stream?.closed();
  }

  /** What was sent is written first; then Asterisk closes its half, or is not waited for. */
  #close(): void {
    if (this.#closing) return;
    clearTimeout(this.#deadline);
    this.#closing = setTimeout(() => this.#socket.destroy(), CLOSE_DEADLINE_MS);
    this.#socket.end();
  }
}
