import { type OutputFormat, parseOutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierDialect, CarrierEvent, StreamRequest } from '../../calls/carrier.ts';
import { parametersOf, partiesOf, queryParameters } from '../call-parameters.ts';
import { callerAudioEvents, payloads } from '../json-media.ts';
import { mediaFormat } from '../media-format.ts';
import { textOf } from '../message-reader.ts';
import { extraHeaders } from './extra-headers.ts';
import { plivoMessages } from './plivo-messages.ts';

type Read = NonNullable<ReturnType<typeof plivoMessages.read>>;
type Start = Extract<Read, { kind: 'start' }>['body'];

export const PLIVO_MAX_UNITS = 50;

const FORMATS = {
  carrier: 'Plivo',
  accepted: ['ulaw_8000', 'pcm_8000', 'pcm_16000'],
  advice:
    'Set contentType of <Stream> to audio/x-mulaw;rate=8000, audio/x-l16;rate=8000 or audio/x-l16;rate=16000.',
};
/** What Plivo streams when contentType is left out, and what our document asks for. */
const DEFAULT_FORMAT = 'ulaw_8000';

/** Plivo's audio streaming, bidirectional. What is played must be in the stream's own format. */
export class PlivoDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #streamId = '';
  #format: OutputFormat | undefined;

  constructor(request: StreamRequest) {
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    const read = plivoMessages.read(textOf('Plivo', message));
    switch (read?.kind) {
      case 'start':
        return this.#start(read.body);
      case 'media':
        return callerAudioEvents('Plivo', read.body.media, this.#format);
      case 'dtmf':
        return [{ type: 'dtmf', digit: read.body.dtmf.digit.toUpperCase() }];
      case 'playedStream':
        return [{ type: 'mark', name: read.body.name }];
      case 'clearedAudio':
        return [{ type: 'cleared' }];
      case 'stop':
        return [{ type: 'stop' }];
      case undefined:
        return [];
    }
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    const format = this.#format;
    if (!format) throw new Error('Audio was sent before the stream had started.');
    const contentType = format.codec === 'pcm' ? 'audio/x-l16' : 'audio/x-mulaw';
    return payloads(units, format, PLIVO_MAX_UNITS).map((payload) =>
      this.#message('playAudio', {
        media: { contentType, sampleRate: format.sampleRate, payload },
      }),
    );
  }

  clear(): readonly CarrierMessage[] {
    return [this.#message('clearAudio', {})];
  }

  mark(name: string): readonly CarrierMessage[] {
    return [this.#message('checkpoint', { name })];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  /** Closing the socket ends the stream; with keepCallAlive the document goes on behind it. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #start({ start, extra_headers }: Start): readonly CarrierEvent[] {
    if (this.#format) return [];
    const announced = start.mediaFormat;
    this.#format = announced
      ? mediaFormat({ ...announced, sampleRate: Number(announced.sampleRate) }, FORMATS)
      : parseOutputFormat(DEFAULT_FORMAT);
    this.#streamId = start.streamId;
    const parties = partiesOf({
      ...queryParameters(this.#request.query),
      ...parametersOf(extraHeaders(extra_headers ?? '')),
    });
    const call = {
      ...parties,
      streamId: start.streamId,
      carrierCallId: start.callId ?? parties.carrierCallId,
      callerFormat: this.#format,
      spokenFormat: this.#format,
    };
    return [{ type: 'start', start: call }];
  }

  #message(event: string, fields: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({ event, streamId: this.#streamId, ...fields });
  }
}
