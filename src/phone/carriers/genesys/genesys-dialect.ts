import { parseOutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type {
  CallStart,
  CarrierDialect,
  CarrierEvent,
  StreamRequest,
} from '../../calls/carrier.ts';
import { parametersOf, queryParameters } from '../call-parameters.ts';
import { invalidMessage } from '../message-reader.ts';
import {
  type GenesysMedia,
  type GenesysMessage,
  type GenesysOpen,
  genesysMessages,
  NULL_UUID,
} from './genesys-messages.ts';

/** Genesys drops what is sent too fast and says so; the next message goes through again. */
const RATE_LIMIT_EXCEEDED = 429;

type State = 'opening' | 'open' | 'probe' | 'closed';

/**
 * Genesys AudioHook, protocol version 2, as the Audio Connector speaks it: JSON with sequence
 * numbers on both sides, and mu-law in binary messages both ways.
 */
export class GenesysDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #state: State = 'opening';
  #sessionId: string;
  /** Sequence number of the last message of ours, and of theirs. */
  #seq = 0;
  #clientSeq = 0;
  /** Caller and agent alternate, byte by byte; only taken when the caller alone is not offered. */
  #channels = 1;

  constructor(request: StreamRequest) {
    this.#request = request;
    // Signed with the upgrade, so that no message can name another session.
    const signedId = request.headers['audiohook-session-id'];
    this.#sessionId = typeof signedId === 'string' ? signedId : '';
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    if (typeof message !== 'string') return this.#audio(message);
    const read = genesysMessages.read(message);
    // A kind that is not known still counts, or the next one would seem out of order.
    this.#count(read ? read.body : (JSON.parse(message) as Partial<GenesysOpen>));
    return read ? this.#handle(read) : [];
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    return [units];
  }

  /** The caller barged in: Genesys stops what it plays and drops the rest. */
  clear(): readonly CarrierMessage[] {
    return [this.#message('event', { entities: [{ type: 'barge_in', data: {} }] })];
  }

  /** There are no marks: `playback_completed` only tells that the buffer ran dry. */
  mark(_name: string): readonly CarrierMessage[] {
    return [];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  hangUp(): readonly CarrierMessage[] {
    if (this.#state === 'closed' || this.#sessionId === '') return [];
    return [this.#message('disconnect', { reason: 'completed' })];
  }

  #count({ id, seq, serverseq }: Partial<Pick<GenesysOpen, 'id' | 'seq' | 'serverseq'>>): void {
    if (seq !== this.#clientSeq + 1) {
      throw invalidMessage('Genesys', `seq is ${seq} where ${this.#clientSeq + 1} is due.`);
    }
    if (serverseq !== undefined && serverseq > this.#seq) {
      throw invalidMessage('Genesys', `serverseq ${serverseq} is of a message that was not sent.`);
    }
    if (this.#sessionId !== '' && id !== this.#sessionId) {
      throw invalidMessage('Genesys', 'id is of another session.');
    }
    this.#clientSeq = seq;
  }

  #handle(message: GenesysMessage): readonly CarrierEvent[] {
    switch (message.kind) {
      case 'open':
        return this.#open(message.body);
      case 'ping':
        return [this.#reply('pong')];
      case 'close':
        return this.#close();
      case 'dtmf':
        return [{ type: 'dtmf', digit: message.body.parameters.digit.toUpperCase() }];
      case 'paused':
        // Somebody put the caller on hold: nobody would hear what is sent now.
        return [{ type: 'flow', isOpen: false }];
      case 'resumed':
        return [{ type: 'flow', isOpen: true }];
      case 'error':
        return failed(message.body.parameters);
      case 'discarded':
      case 'update':
      case 'playback_started':
      case 'playback_completed':
        return [];
    }
  }

  #open({ id, parameters }: GenesysOpen): readonly CarrierEvent[] {
    if (this.#state !== 'opening') throw invalidMessage('Genesys', 'it opens a session again.');
    const media = chosenMedia(parameters.media);
    this.#sessionId = id;
    this.#channels = media.channels.length;
    const opened = this.#reply('opened', { media: [media], startPaused: false });
    // Genesys tries new settings out with a session that is no call; it closes it by itself.
    if (parameters.conversationId === NULL_UUID) {
      this.#state = 'probe';
      return [opened];
    }
    this.#state = 'open';
    return [opened, { type: 'start', start: this.#start(id, parameters) }];
  }

  #start(id: string, parameters: GenesysOpen['parameters']): CallStart {
    const format = parseOutputFormat('ulaw_8000');
    return {
      streamId: id,
      carrierCallId: parameters.conversationId,
      from: parameters.participant?.ani ?? undefined,
      to: parameters.participant?.dnis ?? undefined,
      parameters: {
        ...queryParameters(this.#request.query),
        ...parametersOf({
          language: parameters.language,
          ...parameters.customConfig,
          ...parameters.inputVariables,
        }),
      },
      callerFormat: format,
      spokenFormat: format,
    };
  }

  #close(): readonly CarrierEvent[] {
    const closed = this.#reply('closed');
    this.#state = 'closed';
    return [closed, { type: 'stop' }];
  }

  #audio(audio: Uint8Array): readonly CarrierEvent[] {
    if (this.#state === 'opening') throw invalidMessage('Genesys', 'audio came before open.');
    if (this.#state !== 'open' || audio.length === 0) return [];
    if (audio.length % this.#channels !== 0) {
      throw invalidMessage('Genesys', 'audio of two channels ends after the first.');
    }
    const caller =
      this.#channels === 1 ? audio : audio.filter((_, index) => index % this.#channels === 0);
    return [{ type: 'caller-audio', audio: caller }];
  }

  #reply(type: string, parameters = {}): CarrierEvent {
    return { type: 'reply', messages: [this.#message(type, parameters)] };
  }

  #message(type: string, parameters: Readonly<Record<string, unknown>>): string {
    this.#seq++;
    return JSON.stringify({
      version: '2',
      type,
      seq: this.#seq,
      clientseq: this.#clientSeq,
      id: this.#sessionId,
      parameters,
    });
  }
}

/** The caller alone; with the agent, where nothing else is offered. */
function chosenMedia(offers: readonly GenesysMedia[]): GenesysMedia {
  const usable = offers.filter(
    ({ type, format, rate, channels }) =>
      type === 'audio' && format === 'PCMU' && rate === 8000 && channels[0] === 'external',
  );
  const media = usable.find(({ channels }) => channels.length === 1) ?? usable[0];
  if (media) {
    const { type, format, channels, rate } = media;
    return { type, format, channels, rate };
  }
  throw invalidMessage('Genesys', "it offers no PCMU at 8000 Hz with the caller's channel first.");
}

function failed({ code }: { readonly code: number }): readonly CarrierEvent[] {
  if (code === RATE_LIMIT_EXCEEDED) return [];
  throw invalidMessage('Genesys', `it reports error ${code} about what was sent to it.`);
}
