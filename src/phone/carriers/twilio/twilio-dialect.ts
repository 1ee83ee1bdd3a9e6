import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierDialect, CarrierEvent, StreamRequest } from '../../calls/carrier.ts';
import { parametersOf, partiesOf, queryParameters } from '../call-parameters.ts';
import { callerAudioEvents, payloads } from '../json-media.ts';
import { type FormatRules, mediaFormat } from '../media-format.ts';
import { MessageReader, textOf } from '../message-reader.ts';
import { TWILIO_SCHEMAS } from './twilio-messages.ts';

type Read = NonNullable<ReturnType<MessageReader<typeof TWILIO_SCHEMAS>['read']>>;
type Start = Extract<Read, { kind: 'start' }>['body'];

/** Wherein carriers that speak Twilio's language differ. */
export interface TwilioManner {
  readonly formats: FormatRules;
  readonly reader: MessageReader<typeof TWILIO_SCHEMAS>;
  /** Most units in one message. */
  readonly maxUnitsPerMessage: number;
}

export function twilioManner(formats: FormatRules, maxUnitsPerMessage: number): TwilioManner {
  const reader = new MessageReader(formats.carrier, 'event', TWILIO_SCHEMAS);
  return { formats, reader, maxUnitsPerMessage };
}

/**
 * Twilio Media Streams, bidirectional (`<Connect><Stream>`): JSON in text messages, audio in Base64.
 * Audio of any length is buffered; `clear` drops it and makes every outstanding mark come back at
 * once.
 */
export class TwilioDialect implements CarrierDialect {
  readonly #manner: TwilioManner;
  readonly #request: StreamRequest;
  #streamSid = '';
  #format: OutputFormat | undefined;

  constructor(manner: TwilioManner, request: StreamRequest) {
    this.#manner = manner;
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    const read = this.#manner.reader.read(textOf(this.#name, message));
    switch (read?.kind) {
      case 'start':
        return this.#start(read.body);
      case 'media':
        return callerAudioEvents(this.#name, read.body.media, this.#format);
      case 'dtmf':
        return [{ type: 'dtmf', digit: read.body.dtmf.digit.toUpperCase() }];
      case 'mark':
        return [{ type: 'mark', name: read.body.mark.name }];
      case 'stop':
        return [{ type: 'stop' }];
      case undefined:
        return [];
    }
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    if (!this.#format) throw new Error('Audio was sent before the stream had started.');
    return payloads(units, this.#format, this.#manner.maxUnitsPerMessage).map((payload) =>
      this.#message('media', { media: { payload } }),
    );
  }

  clear(): readonly CarrierMessage[] {
    return [this.#message('clear', {})];
  }

  mark(name: string): readonly CarrierMessage[] {
    return [this.#message('mark', { mark: { name } })];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  /** Closing the socket ends `<Connect>`, and the call set-up document goes on behind it. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #start({ streamSid, start }: Start): readonly CarrierEvent[] {
    if (this.#format) return [];
    const { encoding, sampleRate } = start.mediaFormat;
    this.#format = mediaFormat({ encoding, sampleRate: Number(sampleRate) }, this.#manner.formats);
    this.#streamSid = streamSid;
    const parties = partiesOf({
      ...queryParameters(this.#request.query),
      ...parametersOf(start.customParameters ?? {}),
    });
    const call = {
      ...parties,
      streamId: streamSid,
      carrierCallId: start.callSid ?? parties.carrierCallId,
      callerFormat: this.#format,
      spokenFormat: this.#format,
    };
    return [{ type: 'start', start: call }];
  }

  get #name(): string {
    return this.#manner.formats.carrier;
  }

  #message(event: string, fields: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({ event, streamSid: this.#streamSid, ...fields });
  }
}
