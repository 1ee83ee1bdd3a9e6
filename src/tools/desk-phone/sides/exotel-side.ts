import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { basicAuthorization, chooseFormat, refuseVariant } from '../side-choices.ts';
import {
  finding,
  type JsonObject,
  jsonMessage,
  objectOf,
  payloadEvents,
  textField,
} from '../wire-checks.ts';

const MULTIPLE_BYTES = 320;
const SHORTEST_BYTES = 3200;
const LONGEST_BYTES = 100_000;

export const openExotelSide = (setup: OutgoingCall): CarrierSide => new ExotelSide(setup);

/**
 * Exotel's Voicebot applet (developer.exotel.com, "WebSocket protocol"): snake case, every number as
 * text, linear PCM in pieces of 100 ms.
 */
class ExotelSide implements CarrierSide {
  readonly handshake: Handshake;
  readonly format: OutputFormat;
  readonly frameMs = 100;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  readonly playout: PlayoutRules = {
    frameMs: 20,
    prefillMs: 0,
    capacityMs: 600_000,
    clearedMarks: 'echoed at once',
  };
  readonly #setup: OutgoingCall;
  readonly #parameters: Readonly<Record<string, string>>;
  readonly #streamSid: string;
  readonly #callSid: string;
  readonly #accountSid: string;
  #sequence = 0;
  #chunk = 0;

  constructor(setup: OutgoingCall) {
    refuseVariant('Exotel', setup.variant);
    this.#setup = setup;
    this.format = chooseFormat('Exotel', setup.format, ['pcm_8000', 'pcm_16000', 'pcm_24000']);
    this.#parameters = setup.parameters;
    // Parameters are written into the address, and come a second time in `start`; so is a user with
    // a password, which becomes a header.
    this.handshake = {
      headers: basicAuthorization(setup.apiKey),
      query: { 'sample-rate': String(this.format.sampleRate), ...this.#parameters },
    };
    const sid = () => setup.newId().replaceAll('-', '');
    this.#streamSid = sid();
    this.#callSid = sid();
    this.#accountSid = 'deskphone1';
  }

  greet(): readonly CarrierMessage[] {
    const { from, to } = this.#setup;
    const start = {
      stream_sid: this.#streamSid,
      call_sid: this.#callSid,
      account_sid: this.#accountSid,
      from,
      to,
      custom_parameters: this.#parameters,
      media_format: {
        encoding: 'audio/x-raw',
        sample_rate: String(this.format.sampleRate),
        bit_rate: '16',
      },
    };
    return [JSON.stringify({ event: 'connected' }), this.#message('start', { start })];
  }

  callerAudio(frame: Uint8Array, atMs: number): readonly CarrierMessage[] {
    const media = {
      chunk: String(++this.#chunk),
      timestamp: String(Math.round(atMs)),
      payload: Buffer.from(frame).toString('base64'),
    };
    return [this.#message('media', { media })];
  }

  key(digit: string): readonly CarrierMessage[] {
    return [this.#message('dtmf', { dtmf: { digit, duration: '100' } })];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const { body } = read;
    const complaints =
      body['stream_sid'] === this.#streamSid
        ? []
        : [finding('A message was not for this stream: stream_sid is missing or another.')];
    return [...complaints, ...this.#handle(body)];
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    return event.type === 'mark' ? [this.#message('mark', { mark: { name: event.name } })] : [];
  }

  hangUp(): readonly CarrierMessage[] {
    const stop = { call_sid: this.#callSid, account_sid: this.#accountSid, reason: 'callended' };
    return [this.#message('stop', { stop })];
  }

  #handle(body: JsonObject): readonly SideEvent[] {
    switch (body['event']) {
      case 'media':
        return this.#media(objectOf(body['media'])?.['payload']);
      case 'mark': {
        const name = textField(objectOf(body['mark']), 'name');
        return name === undefined ? [finding('A mark had no name.')] : [{ type: 'mark', name }];
      }
      case 'clear':
        return [{ type: 'clear' }];
      default:
        return [finding(`Exotel knows no event "${String(body['event'])}" from a server.`)];
    }
  }

  #media(payload: unknown): readonly SideEvent[] {
    const bytes = typeof payload === 'string' ? Buffer.from(payload, 'base64').length : 0;
    const complaints: SideEvent[] = [];
    if (bytes % MULTIPLE_BYTES !== 0) {
      complaints.push(finding('A payload was not a multiple of 320 bytes: Exotel plays gaps.'));
    }
    if (bytes < SHORTEST_BYTES) {
      complaints.push(finding('A payload was below 3200 bytes: Exotel may garble it.'));
    }
    if (bytes > LONGEST_BYTES) {
      complaints.push(finding('A payload was above 100 kB: Exotel may time out on it.'));
    }
    return [...complaints, ...payloadEvents(payload, this.format)];
  }

  #message(event: string, fields: JsonObject): string {
    const sequence_number = String(++this.#sequence);
    return JSON.stringify({ event, sequence_number, stream_sid: this.#streamSid, ...fields });
  }
}
