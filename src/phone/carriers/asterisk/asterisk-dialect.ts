import { type OutputFormat, parseOutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type {
  CallStart,
  CarrierDialect,
  CarrierEvent,
  StreamRequest,
} from '../../calls/carrier.ts';
import { parametersOf, partiesOf, queryParameters } from '../call-parameters.ts';
import { invalidMessage, wholeSamples } from '../message-reader.ts';
import {
  type AsteriskEvent,
  type ControlForm,
  type MediaStart,
  readAsteriskEvent,
} from './asterisk-events.ts';

/** Asterisk's names of the formats that can be cut anywhere between samples. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['ulaw', 'ulaw_8000'],
  ['alaw', 'alaw_8000'],
  ['slin', 'pcm_8000'],
  ['slin16', 'pcm_16000'],
  ['slin24', 'pcm_24000'],
  ['slin32', 'pcm_32000'],
  ['slin44', 'pcm_44100'],
  ['slin48', 'pcm_48000'],
]);

/** Variables that chan_websocket sets for itself. */
const OWN_VARIABLES = /^MEDIA_WEBSOCKET_/;

/**
 * Asterisk's `chan_websocket` (channels/chan_websocket.c of Asterisk 20.16, 21.11, 22.6, 23.0 and
 * later). Audio is sent between `START_MEDIA_BUFFERING` and `STOP_MEDIA_BUFFERING`, so that no
 * length of it is ever wrong. Text that is longer than 128 bytes is dropped without an answer,
 * therefore marks travel under short names of our own.
 */
export class AsteriskDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #form: ControlForm = 'plain';
  #format: OutputFormat | undefined;
  #hasMarks = false;
  #isBuffering = false;
  #awaitsDrain = false;
  /** Marks on their way, by the names that Asterisk knows them under. */
  readonly #marks = new Map<string, string>();
  #marksSent = 0;

  constructor(request: StreamRequest) {
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    if (typeof message !== 'string') return this.#audio(message);
    const { form, event } = readAsteriskEvent(message);
    if (event?.kind === 'MEDIA_START') this.#form = form;
    return event ? this.#handle(event) : [];
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    // The queue would report itself drained after this audio, not after the clear.
    this.#awaitsDrain = false;
    if (this.#isBuffering) return [units];
    this.#isBuffering = true;
    return [this.#command('START_MEDIA_BUFFERING'), units];
  }

  /**
   * A flush also ends buffering and drops the marks in the queue unanswered. Once the queue is
   * empty, Asterisk says so, within 20 ms.
   */
  clear(): readonly CarrierMessage[] {
    this.#isBuffering = false;
    this.#marks.clear();
    this.#awaitsDrain = true;
    return [this.#command('REPORT_QUEUE_DRAINED'), this.#command('FLUSH_MEDIA')];
  }

  mark(name: string): readonly CarrierMessage[] {
    const id = `m${++this.#marksSent}`;
    this.#marks.set(id, name);
    if (this.#hasMarks) return [this.#command('MARK_MEDIA', id)];
    // Before there were marks, the end of buffering was answered from the same place in the queue.
    this.#isBuffering = false;
    return [this.#command('STOP_MEDIA_BUFFERING', id)];
  }

  /** Fills the last frame up with silence; without an id, because nobody waits for the answer. */
  done(): readonly CarrierMessage[] {
    if (!this.#isBuffering) return [];
    this.#isBuffering = false;
    return [this.#command('STOP_MEDIA_BUFFERING')];
  }

  hangUp(): readonly CarrierMessage[] {
    return [this.#command('HANGUP')];
  }

  #handle(event: AsteriskEvent): readonly CarrierEvent[] {
    switch (event.kind) {
      case 'MEDIA_START':
        return this.#start(event.body);
      case 'DTMF_END':
        return [{ type: 'dtmf', digit: event.body.digit.toUpperCase() }];
      case 'MEDIA_XOFF':
        return [{ type: 'flow', isOpen: false }];
      case 'MEDIA_XON':
        return [{ type: 'flow', isOpen: true }];
      case 'MEDIA_MARK_PROCESSED':
      case 'MEDIA_BUFFERING_COMPLETED':
        return this.#marked(event.body.correlation_id ?? '');
      case 'QUEUE_DRAINED':
        return this.#drained();
      case 'ERROR':
        throw invalidMessage(
          'Asterisk',
          `it reports an error: ${event.body.error_text ?? 'unknown'}. Remove p and d(in) from the dial string.`,
        );
    }
  }

  #start(start: MediaStart): readonly CarrierEvent[] {
    if (this.#format) throw invalidMessage('Asterisk', 'MEDIA_START came again.');
    const name = FORMATS.get(start.format);
    if (name === undefined) {
      throw invalidMessage(
        'Asterisk',
        `the format ${start.format.slice(0, 20)} cannot be spoken. Put c(ulaw) or another of ${[...FORMATS.keys()].join(', ')} into the dial string.`,
      );
    }
    this.#format = parseOutputFormat(name);
    // The release that brought marks also tells the packet time.
    this.#hasMarks = start.ptime !== undefined;
    return [{ type: 'start', start: this.#callStart(start, this.#format) }];
  }

  #callStart(start: MediaStart, format: OutputFormat): CallStart {
    const variables = Object.entries(start.channel_variables ?? {}).filter(
      ([name]) => !OWN_VARIABLES.test(name),
    );
    const parties = partiesOf({
      ...parametersOf(Object.fromEntries(variables)),
      ...queryParameters(this.#request.query),
    });
    // The connection's id is the name of its configuration, the same for every call.
    const streamId = start.channel_id ?? start.channel;
    return {
      ...parties,
      streamId,
      carrierCallId: parties.carrierCallId ?? streamId,
      callerFormat: format,
      spokenFormat: format,
    };
  }

  #audio(audio: Uint8Array): readonly CarrierEvent[] {
    if (!this.#format) throw invalidMessage('Asterisk', 'audio came before MEDIA_START.');
    if (audio.length === 0) return [];
    if (this.#format.codec === 'pcm') wholeSamples('Asterisk', audio);
    return [{ type: 'caller-audio', audio }];
  }

  #marked(id: string): readonly CarrierEvent[] {
    const name = this.#marks.get(id);
    if (name === undefined) return [];
    this.#marks.delete(id);
    return [{ type: 'mark', name }];
  }

  #drained(): readonly CarrierEvent[] {
    if (!this.#awaitsDrain) return [];
    this.#awaitsDrain = false;
    return [{ type: 'cleared' }];
  }

  #command(command: string, id?: string): string {
    if (this.#form === 'plain') return id === undefined ? command : `${command} ${id}`;
    return JSON.stringify(id === undefined ? { command } : { command, correlation_id: id });
  }
}
