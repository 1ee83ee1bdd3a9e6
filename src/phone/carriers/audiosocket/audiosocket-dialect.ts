import { type OutputFormat, parseOutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierDialect, CarrierEvent, StreamRequest } from '../../calls/carrier.ts';
import { partiesOf, queryParameters, queryText } from '../call-parameters.ts';
import { unitBytes } from '../json-media.ts';
import { invalidMessage, wholeSamples } from '../message-reader.ts';
import {
  AUDIO_RATES,
  audioSocketPacket,
  HEADER_BYTES,
  PACKET,
  uuidOf,
} from './audiosocket-packets.ts';

/**
 * Asterisk's AudioSocket: packets on a TCP connection, the first of which names the call. Asterisk
 * plays each packet when it comes and keeps nothing, so that there is nothing to clear and nothing
 * to mark.
 */
export class AudioSocketDialect implements CarrierDialect {
  readonly #request: StreamRequest;
  #callId: string | undefined;
  /** First byte of audio packets, once it is known. */
  #audioType: number | undefined;
  #format: OutputFormat | undefined;

  /** @param request its query holds what was told when the call was announced. */
  constructor(request: StreamRequest) {
    this.#request = request;
  }

  receive(message: CarrierMessage): readonly CarrierEvent[] {
    if (typeof message === 'string' || message.length < HEADER_BYTES) {
      throw invalidMessage('AudioSocket', 'it is not a packet.');
    }
    const type = message[0] as number;
    const payload = message.subarray(HEADER_BYTES);
    if (type === PACKET.id) return this.#named(uuidOf(payload));
    if (this.#callId === undefined) {
      throw invalidMessage('AudioSocket', 'its first packet is not the id of a call.');
    }
    // An error code of Asterisk's ends the call as well, only less politely.
    if (type === PACKET.hangUp || type === PACKET.error) return [{ type: 'stop' }];
    if (type === PACKET.dtmf) return dtmf(payload);
    return type >= 0x10 && type <= 0x1f ? this.#audio(type, payload) : [];
  }

  play(units: Uint8Array): readonly CarrierMessage[] {
    if (!this.#format || this.#audioType === undefined) {
      throw new Error('Audio was sent before the stream had started.');
    }
    const type = this.#audioType;
    const bytes = unitBytes(this.#format);
    return Array.from({ length: units.length / bytes }, (_, index) =>
      audioSocketPacket(type, units.subarray(index * bytes, (index + 1) * bytes)),
    );
  }

  clear(): readonly CarrierMessage[] {
    return [];
  }

  mark(_name: string): readonly CarrierMessage[] {
    return [];
  }

  done(): readonly CarrierMessage[] {
    return [];
  }

  hangUp(): readonly CarrierMessage[] {
    return [audioSocketPacket(PACKET.hangUp, new Uint8Array(0))];
  }

  /** A call that was announced with its rate starts at once, though the caller may be silent. */
  #named(callId: string): readonly CarrierEvent[] {
    if (this.#callId !== undefined) throw invalidMessage('AudioSocket', 'a second id came.');
    this.#callId = callId;
    const rate = Number(queryText(this.#request.query, 'rate'));
    const [type] = [...AUDIO_RATES].find(([, known]) => known === rate) ?? [];
    return type === undefined ? [] : this.#start(callId, type);
  }

  #audio(type: number, payload: Uint8Array): readonly CarrierEvent[] {
    const start = this.#audioType === undefined ? this.#start(this.#callId ?? '', type) : [];
    if (type !== this.#audioType) {
      throw invalidMessage(
        'AudioSocket',
        `audio is at ${AUDIO_RATES.get(type) ?? 'an unknown number of'} Hz, but the call began at ${this.#format?.sampleRate}. Announce the call with the rate of its channel.`,
      );
    }
    if (payload.length === 0) return start;
    return [...start, { type: 'caller-audio', audio: wholeSamples('AudioSocket', payload) }];
  }

  #start(callId: string, audioType: number): readonly CarrierEvent[] {
    const rate = AUDIO_RATES.get(audioType);
    if (rate === undefined) {
      throw invalidMessage(
        'AudioSocket',
        `packets of type ${audioType} cannot be spoken. Use c(slin) or another of slin16, slin24, slin32, slin44, slin48.`,
      );
    }
    this.#audioType = audioType;
    this.#format = parseOutputFormat(`pcm_${rate}`);
    const parties = partiesOf(queryParameters(this.#request.query, ['rate']));
    const start = {
      ...parties,
      streamId: callId,
      carrierCallId: parties.carrierCallId ?? callId,
      callerFormat: this.#format,
      spokenFormat: this.#format,
    };
    return [{ type: 'start', start }];
  }
}

function dtmf(payload: Uint8Array): readonly CarrierEvent[] {
  const digit = Buffer.from(payload).toString('latin1');
  if (/^[0-9*#A-Da-d]$/.test(digit)) return [{ type: 'dtmf', digit: digit.toUpperCase() }];
  throw invalidMessage('AudioSocket', 'it is about a key that no phone has.');
}
