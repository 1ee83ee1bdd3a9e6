import { EventEmitter, once } from 'node:events';
import type { Caller } from '../../src/domain/account.ts';
import type { CarrierMessage } from '../../src/domain/carrier.ts';
import { type SpeechError, toSpeechError } from '../../src/domain/errors.ts';
import type { CallStart, CarrierEvent } from '../../src/phone/calls/carrier.ts';
import type {
  MediaStream,
  MediaStreamHandler,
  StreamOpening,
} from '../../src/phone/calls/media-stream.ts';
import { type TransferQuestion, Transfers } from '../../src/phone/calls/transfers.ts';

/** A media stream, as it was told to the desk. */
export interface RecordedStream {
  readonly opening: StreamOpening;
  readonly events: CarrierEvent[];
  start: CallStart | undefined;
  /** Who pays, once admitted. */
  caller: Caller | undefined;
  followUpToken: string | undefined;
  refusal: SpeechError | undefined;
  isClosed: boolean;
}

/** A desk that takes every stream that is admitted, greets it with a second of silence, and listens. */
export class RecordingStreamHandler implements MediaStreamHandler {
  readonly streams: RecordedStream[] = [];
  /** As the real desk keeps them. */
  readonly transfers = new Transfers(() => performance.now());
  readonly #changes = new EventEmitter();

  open(opening: StreamOpening): MediaStream {
    const stream: RecordedStream = {
      opening,
      events: [],
      start: undefined,
      caller: undefined,
      followUpToken: undefined,
      refusal: undefined,
      isClosed: false,
    };
    this.streams.push(stream);
    return {
      receive: (message) => this.#receive(stream, message),
      closed: () => {
        stream.isClosed = true;
        this.#changes.emit('change');
      },
    };
  }

  takeTransfer(question: TransferQuestion): string | undefined {
    return this.transfers.take(question);
  }

  /** Resolves with the last stream as soon as it is so. */
  async until(isSo: (stream: RecordedStream) => boolean): Promise<RecordedStream> {
    for (;;) {
      const stream = this.streams.at(-1);
      if (stream && isSo(stream)) return stream;
      await once(this.#changes, 'change');
    }
  }

  #receive(stream: RecordedStream, message: CarrierMessage): void {
    const { dialect, connection } = stream.opening;
    try {
      for (const event of dialect.receive(message)) {
        stream.events.push(event);
        if (event.type === 'reply') connection.send(event.messages);
        if (event.type === 'start') void this.#admit(stream, event.start);
        if (event.type === 'stop') connection.close();
      }
    } catch (thrown) {
      stream.refusal = toSpeechError(thrown);
      connection.close(stream.refusal);
    }
    this.#changes.emit('change');
  }

  async #admit(stream: RecordedStream, start: CallStart): Promise<void> {
    const { admit, dialect, connection } = stream.opening;
    stream.start = start;
    try {
      const { caller, followUpToken } = await admit(start);
      stream.caller = caller;
      stream.followUpToken = followUpToken;
      const { bitsPerSecond, codec } = start.spokenFormat;
      const silence = codec === 'pcm' ? 0 : codec === 'ulaw' ? 0xff : 0xd5;
      connection.send(dialect.play(new Uint8Array(bitsPerSecond / 8).fill(silence)));
      connection.send(dialect.mark('greeting'));
    } catch (thrown) {
      stream.refusal = toSpeechError(thrown);
      // As a desk does that knows nothing of close codes.
      connection.close();
    }
    this.#changes.emit('change');
  }
}
