import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierDialect, CarrierEvent, StreamRequest } from '../../calls/carrier.ts';
import { parametersOf, partiesOf, queryParameters } from '../call-parameters.ts';
import { callerAudioEvents, payloads } from '../json-media.ts';
import { mediaFormat } from '../media-format.ts';
import { invalidMessage, textOf } from '../message-reader.ts';
import { telnyxMessages } from './telnyx-messages.ts';

type Read = NonNullable<ReturnType<typeof telnyxMessages.read>>;
type Start = Extract<Read, { kind: 'start' }>['body'];

/** Telnyx takes from 20 ms to 30 s in a message. */
export const TELNYX_MAX_UNITS = 50;

const FORMATS = {
  carrier: 'Telnyx',
  accepted: ['ulaw_8000', 'alaw_8000', 'pcm_8000', 'pcm_16000', 'pcm_24000'],
  advice:
    'Set stream_bidirectional_codec, and stream_codec with it, to PCMU, PCMA or L16 (in TeXML: bidirectionalCodec and codec); G722, OPUS and AMR-WB cannot be used.',
};
/**
 * Telnyx Media Streaming in its `rtp` mode: JSON in text messages; payloads are what RTP packets
 * carry, without their header. L16 is little-endian on the wire, as those who use it found, although
 * RTP's own L16 is not.
 */
export class TelnyxDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #callerFormat: OutputFormat | undefined;
  #spokenFormat: OutputFormat | undefined;

  constructor(request: StreamRequest) {
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    const read = telnyxMessages.read(textOf('Telnyx', message));
    switch (read?.kind) {
      case 'start':
        return this.#start(read.body);
      case 'media':
        return callerAudioEvents('Telnyx', read.body.media, this.#callerFormat);
      case 'dtmf':
        return [{ type: 'dtmf', digit: read.body.dtmf.digit.toUpperCase() }];
      case 'mark':
        return [{ type: 'mark', name: read.body.mark.name }];
      case 'error': {
        const { code, title } = read.body.payload ?? {};
        throw invalidMessage('Telnyx', `it reports the error ${code ?? '?'} ${title ?? ''}.`);
      }
      case 'stop':
        return [{ type: 'stop' }];
      case undefined:
        return [];
    }
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    if (!this.#spokenFormat) throw new Error('Audio was sent before the stream had started.');
    return payloads(units, this.#spokenFormat, TELNYX_MAX_UNITS).map((payload) =>
      JSON.stringify({ event: 'media', media: { payload } }),
    );
  }

  clear(): readonly CarrierMessage[] {
    return [JSON.stringify({ event: 'clear' })];
  }

  mark(name: string): readonly CarrierMessage[] {
    return [JSON.stringify({ event: 'mark', mark: { name } })];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  /** Closing the socket ends the stream; the TeXML document goes on behind it. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #start({ stream_id, start }: Start): readonly CarrierEvent[] {
    if (this.#callerFormat) return [];
    const given = {
      ...queryParameters(this.#request.query),
      ...parametersOf(start.custom_parameters ?? {}),
    };
    const { spoken_codec, spoken_sample_rate, ...others } = given;
    const parties = partiesOf(others);
    const { encoding, sample_rate } = start.media_format;
    const heard = { encoding, sampleRate: Number(sample_rate) };
    const callerFormat = mediaFormat(heard, FORMATS);
    this.#spokenFormat = mediaFormat(
      {
        encoding: spoken_codec ?? heard.encoding,
        sampleRate: Number(spoken_sample_rate ?? (spoken_codec ? 8000 : heard.sampleRate)),
      },
      FORMATS,
    );
    this.#callerFormat = callerFormat;
    const call = {
      ...parties,
      streamId: stream_id,
      carrierCallId: start.call_control_id ?? parties.carrierCallId,
      from: start.from ?? parties.from,
      to: start.to ?? parties.to,
      callerFormat,
      spokenFormat: this.#spokenFormat,
    };
    return [{ type: 'start', start: call }];
  }
}
