import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { chooseFormat, keyedParameters, refuseVariant } from '../side-choices.ts';
import {
  finding,
  type JsonObject,
  jsonMessage,
  objectOf,
  payloadEvents,
  textField,
} from '../wire-checks.ts';

/** Where SignalWire, whose cXML streams are modelled on Twilio's, is not the same. */
interface Manner {
  readonly carrier: string;
  readonly formats: readonly [string, ...string[]];
  readonly encodingOf: (format: OutputFormat) => string;
  readonly handshake: (setup: OutgoingCall) => Handshake;
}

const TWILIO: Manner = {
  carrier: 'Twilio',
  formats: ['ulaw_8000'],
  encodingOf: () => 'audio/x-mulaw',
  // Twilio sends no headers of anybody's choice and drops a query.
  handshake: () => ({ headers: { 'user-agent': 'TwilioMediaStreams/1.0' }, query: {} }),
};

const SIGNALWIRE: Manner = {
  carrier: 'SignalWire',
  formats: ['ulaw_8000', 'pcm_16000', 'pcm_24000'],
  encodingOf: ({ codec }) => (codec === 'ulaw' ? 'audio/x-mulaw' : 'audio/x-l16'),
  // What authBearerToken of <Stream> is for.
  handshake: ({ apiKey }) => ({
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    query: {},
  }),
};

export const openTwilioSide = (setup: OutgoingCall): CarrierSide => new TwilioSide(setup, TWILIO);
export const openSignalwireSide = (setup: OutgoingCall): CarrierSide =>
  new TwilioSide(setup, SIGNALWIRE);

/**
 * Twilio Media Streams of `<Connect><Stream>` (twilio.com/docs/voice/media-streams/websocket-messages).
 * Sequence numbers, chunks and timestamps are text; the media format's numbers are not.
 */
class TwilioSide implements CarrierSide {
  readonly handshake: Handshake;
  readonly format: OutputFormat;
  readonly frameMs = 20;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  // Ten minutes are buffered; after that warning 31931, and the audio is lost.
  readonly playout: PlayoutRules = {
    frameMs: 20,
    prefillMs: 0,
    capacityMs: 600_000,
    clearedMarks: 'echoed at once',
  };
  readonly #manner: Manner;
  readonly #setup: OutgoingCall;
  readonly #streamSid: string;
  readonly #callSid: string;
  readonly #accountSid: string;
  #sequence = 0;
  #chunk = 0;

  constructor(setup: OutgoingCall, manner: Manner) {
    refuseVariant(manner.carrier, setup.variant);
    this.#manner = manner;
    this.#setup = setup;
    this.format = chooseFormat(manner.carrier, setup.format, manner.formats);
    this.handshake = manner.handshake(setup);
    const sid = (prefix: string) => prefix + setup.newId().replaceAll('-', '');
    this.#streamSid = sid('MZ');
    this.#callSid = sid('CA');
    this.#accountSid = sid('AC');
  }

  greet(): readonly CarrierMessage[] {
    const { parameters, apiKey, from, to } = this.#setup;
    const connected = { event: 'connected', protocol: 'Call', version: '1.0.0' };
    const start = {
      accountSid: this.#accountSid,
      streamSid: this.#streamSid,
      callSid: this.#callSid,
      tracks: ['inbound'],
      mediaFormat: {
        encoding: this.#manner.encodingOf(this.format),
        sampleRate: this.format.sampleRate,
        channels: 1,
      },
      // Numbers of a call come only as parameters of the <Stream>.
      customParameters: { from, to, ...keyedParameters(parameters, apiKey) },
    };
    return [JSON.stringify(connected), this.#message('start', { start })];
  }

  callerAudio(frame: Uint8Array, atMs: number): readonly CarrierMessage[] {
    const media = {
      track: 'inbound',
      chunk: String(++this.#chunk),
      timestamp: String(Math.round(atMs)),
      payload: Buffer.from(frame).toString('base64'),
    };
    return [this.#message('media', { media })];
  }

  key(digit: string): readonly CarrierMessage[] {
    return [this.#message('dtmf', { dtmf: { track: 'inbound_track', digit } })];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const { body } = read;
    const complaints =
      body['streamSid'] === this.#streamSid
        ? []
        : [finding('A message was not for this stream: streamSid is missing or another.')];
    return [...complaints, ...this.#handle(body)];
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    return event.type === 'mark' ? [this.#message('mark', { mark: { name: event.name } })] : [];
  }

  hangUp(): readonly CarrierMessage[] {
    const stop = { accountSid: this.#accountSid, callSid: this.#callSid };
    return [this.#message('stop', { stop })];
  }

  #handle(body: JsonObject): readonly SideEvent[] {
    switch (body['event']) {
      case 'media':
        return payloadEvents(objectOf(body['media'])?.['payload'], this.format);
      case 'mark': {
        const name = textField(objectOf(body['mark']), 'name');
        return name === undefined ? [finding('A mark had no name.')] : [{ type: 'mark', name }];
      }
      case 'clear':
        return [{ type: 'clear' }];
      default:
        return [
          finding(
            `${this.#manner.carrier} knows no event "${String(body['event'])}" from a server.`,
          ),
        ];
    }
  }

  #message(event: string, fields: JsonObject): string {
    const sequenceNumber = String(++this.#sequence);
    return JSON.stringify({ event, sequenceNumber, ...fields, streamSid: this.#streamSid });
  }
}
