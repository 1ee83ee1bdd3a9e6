import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierDialect, CarrierEvent, StreamRequest } from '../../calls/carrier.ts';
import { parametersOf, queryParameters } from '../call-parameters.ts';
import { payloadAudio } from '../json-media.ts';
import { mediaFormat } from '../media-format.ts';
import { invalidMessage, textOf } from '../message-reader.ts';
import { exotelMessages } from './exotel-messages.ts';

type Read = NonNullable<ReturnType<typeof exotelMessages.read>>;
type Start = Extract<Read, { kind: 'start' }>['body'];
type Media = Extract<Read, { kind: 'media' }>['body'];

const FORMATS = {
  carrier: 'Exotel',
  accepted: ['pcm_8000', 'pcm_16000', 'pcm_24000', 'ulaw_8000'],
  advice: "Set sample-rate in the stream's address to 8000, 16000 or 24000.",
};

/** Exotel's Voicebot stream: Twilio's manner in snake case, with linear PCM instead of mu-law. */
export class ExotelDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #streamSid = '';
  #format: OutputFormat | undefined;

  constructor(request: StreamRequest) {
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    const read = exotelMessages.read(textOf('Exotel', message));
    switch (read?.kind) {
      case 'start':
        return this.#start(read.body);
      case 'media':
        return this.#media(read.body);
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
    const payload = Buffer.from(units).toString('base64');
    return [this.#message('media', { media: { payload } })];
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

  /** Closing the websocket lets the call flow go on to its next applet. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #start({ stream_sid, start }: Start): readonly CarrierEvent[] {
    if (this.#format) return [];
    // The encoding has been seen as audio/x-raw, raw/slin, base64 and absent: all linear PCM.
    const isMulaw = /mulaw|ulaw|pcmu/i.test(start.media_format.encoding ?? '');
    const sampleRate = Number(start.media_format.sample_rate ?? 8000);
    this.#format = mediaFormat({ encoding: isMulaw ? 'mulaw' : 'l16', sampleRate }, FORMATS);
    this.#streamSid = stream_sid;
    const call = {
      streamId: stream_sid,
      carrierCallId: start.call_sid ?? undefined,
      from: start.from ?? undefined,
      to: start.to ?? undefined,
      parameters: {
        ...queryParameters(this.#request.query, ['sample-rate']),
        ...parametersOf(start.custom_parameters ?? {}),
      },
      callerFormat: this.#format,
      spokenFormat: this.#format,
    };
    return [{ type: 'start', start: call }];
  }

  #media({ media }: Media): readonly CarrierEvent[] {
    if (!this.#format) throw invalidMessage('Exotel', 'audio came before start.');
    const audio = payloadAudio('Exotel', media.payload, this.#format);
    return audio.length === 0 ? [] : [{ type: 'caller-audio', audio }];
  }

  #message(event: string, fields: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({ event, stream_sid: this.#streamSid, ...fields });
  }
}
