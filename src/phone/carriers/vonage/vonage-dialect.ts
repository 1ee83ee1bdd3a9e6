import { type OutputFormat, parseOutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierDialect, CarrierEvent, StreamRequest } from '../../calls/carrier.ts';
import { parametersOf, partiesOf, queryParameters } from '../call-parameters.ts';
import { unitBytes } from '../json-media.ts';
import { invalidMessage, isObject, wholeSamples } from '../message-reader.ts';
import { vonageMessages } from './vonage-messages.ts';

/**
 * Vonage's Voice websockets: audio in binary messages, which must be of 20 ms each, and everything
 * else in JSON. A `notify` waits in the queue behind the audio and comes back when its turn comes.
 */
export class VonageDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #format: OutputFormat | undefined;

  constructor(request: StreamRequest) {
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    if (typeof message !== 'string') {
      if (!this.#format) throw invalidMessage('Vonage', 'audio came before websocket:connected.');
      return [{ type: 'caller-audio', audio: wholeSamples('Vonage', message) }];
    }
    const read = vonageMessages.read(message);
    switch (read?.kind) {
      case 'websocket:connected':
        return this.#connected(read.body);
      case 'websocket:dtmf':
        return [{ type: 'dtmf', digit: digitOf(read.body).toUpperCase() }];
      case 'websocket:cleared':
        return [{ type: 'cleared' }];
      case 'websocket:notify':
        return markOf(read.body.payload);
      case undefined:
        return [];
    }
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    if (!this.#format) throw new Error('Audio was sent before the stream had started.');
    const bytes = unitBytes(this.#format);
    return Array.from({ length: units.length / bytes }, (_, index) =>
      units.subarray(index * bytes, (index + 1) * bytes),
    );
  }

  clear(): readonly CarrierMessage[] {
    return [JSON.stringify({ action: 'clear' })];
  }

  mark(name: string): readonly CarrierMessage[] {
    return [JSON.stringify({ action: 'notify', payload: { mark: name } })];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  /** Closing the websocket ends its leg; there is no message for it. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #connected(body: Readonly<Record<string, unknown>>): readonly CarrierEvent[] {
    if (this.#format) return [];
    const { event: _, 'content-type': contentType, ...headers } = body;
    this.#format = parseOutputFormat(`pcm_${String(contentType).split('rate=')[1]}`);
    const parties = partiesOf({
      ...queryParameters(this.#request.query),
      ...parametersOf(headers),
    });
    const start = {
      ...parties,
      // Vonage names no stream; the key of the upgrade is at least unlike any other.
      streamId:
        parties.carrierCallId ?? this.#request.headers['sec-websocket-key'] ?? 'vonage-stream',
      callerFormat: this.#format,
      spokenFormat: this.#format,
    };
    return [{ type: 'start', start }];
  }
}

function digitOf(body: Readonly<Record<string, unknown>>): string {
  const inner = body['digit'] ?? body['dtmf'];
  return String(isObject(inner) ? inner['digit'] : inner);
}

/** Notifications that others asked for are none of ours. */
function markOf(payload: unknown): readonly CarrierEvent[] {
  const name = isObject(payload) ? payload['mark'] : undefined;
  return typeof name === 'string' ? [{ type: 'mark', name }] : [];
}
