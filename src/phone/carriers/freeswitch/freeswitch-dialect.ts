import { type OutputFormat, parseOutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type {
  CallStart,
  CarrierDialect,
  CarrierEvent,
  StreamRequest,
} from '../../calls/carrier.ts';
import { parametersOf, partiesOf, queryParameters, queryText } from '../call-parameters.ts';
import { payloads } from '../json-media.ts';
import { invalidMessage, isObject, wholeSamples } from '../message-reader.ts';
import { abilitiesOf, type FreeswitchManner, MANNER_PARAMETERS } from './freeswitch-manner.ts';
import { freeswitchMessages } from './freeswitch-messages.ts';

/** Rates that the modules can play raw audio at, and resample the caller's to. */
const RATES = ['8000', '16000', '24000', '32000', '48000'];

/**
 * FreeSWITCH's mod_audio_stream (github.com/amigniter/mod_audio_stream), and mod_audio_fork of
 * drachtio and jambonz (github.com/jambonz/freeswitch-modules). Both send the caller as binary PCM
 * whose rate nobody announces, after a first text with whatever the dialplan put into it.
 */
export class FreeswitchDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  readonly #manner: FreeswitchManner;
  #format: OutputFormat | undefined;

  constructor(request: StreamRequest, manner: FreeswitchManner) {
    this.#request = request;
    this.#manner = manner;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    if (typeof message !== 'string') return [...this.#started({}), ...callerAudio(message)];
    const body = jsonObject(message);
    const event = body?.['event'] ?? body?.['type'];
    if (event === 'dtmf' || event === 'mark') {
      return [...this.#started({}), ...namedEvents({ ...body, event })];
    }
    // Later text of a dialplan is for others.
    return this.#started(body ?? (message.trim() === '' ? {} : { metadata: message }));
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    const format = this.#format;
    if (!format) throw new Error('Audio was sent before the stream had started.');
    const { module, playback } = this.#manner;
    if (playback === 'raw') return [units];
    const { maxUnitsPerMessage } = abilitiesOf(this.#manner);
    return payloads(units, format, maxUnitsPerMessage).map((audio) =>
      JSON.stringify(
        module === 'audio_fork'
          ? {
              type: 'playAudio',
              data: {
                audioContentType: 'raw',
                sampleRate: format.sampleRate,
                audioContent: audio,
              },
            }
          : {
              type: 'streamAudio',
              data: { audioDataType: 'raw', sampleRate: format.sampleRate, audioData: audio },
            },
      ),
    );
  }

  /** Builds that know no such message pass it on to the dialplan as an event. */
  clear(): readonly CarrierMessage[] {
    const kill = JSON.stringify({ type: 'killAudio' });
    return this.#manner.hasMarks ? [kill, JSON.stringify({ type: 'clearMarks' })] : [kill];
  }

  mark(name: string): readonly CarrierMessage[] {
    if (!this.#manner.hasMarks) return [];
    return [JSON.stringify({ type: 'mark', data: { name } })];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  /** The dialplan decides what becomes of the channel; closing the websocket ends the stream. */
  hangUp(): readonly CarrierMessage[] {
    return [JSON.stringify({ type: 'disconnect' })];
  }

  /** @returns the call's start, the first time. */
  #started(metadata: Readonly<Record<string, unknown>>): readonly CarrierEvent[] {
    if (this.#format) return [];
    const rate = queryText(this.#request.query, 'rate') ?? '8000';
    if (!RATES.includes(rate)) {
      throw invalidMessage(
        'FreeSWITCH',
        `rate in the stream's address is "${rate.slice(0, 20)}", not one of ${RATES.join(', ')}.`,
      );
    }
    this.#format = parseOutputFormat(`pcm_${rate}`);
    return [{ type: 'start', start: this.#callStart(metadata, this.#format) }];
  }

  #callStart(metadata: Readonly<Record<string, unknown>>, format: OutputFormat): CallStart {
    const { headers, query } = this.#request;
    const parties = partiesOf({
      ...queryParameters(query, MANNER_PARAMETERS),
      ...parametersOf(metadata),
    });
    return {
      ...parties,
      // The modules name no stream; the key of the upgrade is at least unlike any other.
      streamId: parties.carrierCallId ?? headers['sec-websocket-key'] ?? 'freeswitch-stream',
      callerFormat: format,
      spokenFormat: format,
    };
  }
}

function callerAudio(audio: Uint8Array): readonly CarrierEvent[] {
  if (audio.length === 0) return [];
  return [{ type: 'caller-audio', audio: wholeSamples('FreeSWITCH', audio) }];
}

function namedEvents(body: Readonly<Record<string, unknown>>): readonly CarrierEvent[] {
  const read = freeswitchMessages.check(body);
  switch (read?.kind) {
    case 'dtmf': {
      const { digit, dtmf, data } = read.body as Readonly<Record<string, unknown>>;
      const key = digit ?? dtmf ?? (isObject(data) ? data['digit'] : undefined);
      return [{ type: 'dtmf', digit: String(key).toUpperCase() }];
    }
    case 'mark':
      return [{ type: 'mark', name: read.body.data.name }];
    case undefined:
      return [];
  }
}

/** Dialplans may send any text. */
function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
