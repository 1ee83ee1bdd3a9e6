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

export const openPlivoSide = (setup: OutgoingCall): CarrierSide => new PlivoSide(setup);

/**
 * Plivo audio streaming, bidirectional (plivo.com/docs/voice/audio-streaming). Sequence numbers and
 * chunks are numbers, timestamps are text and count from 1970, and extra headers come as one text.
 */
class PlivoSide implements CarrierSide {
  readonly handshake: Handshake = { headers: {}, query: {} };
  readonly format: OutputFormat;
  readonly frameMs = 20;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  // "playedStream will only be emitted if the preceding events were played successfully."
  readonly playout: PlayoutRules = {
    frameMs: 20,
    prefillMs: 0,
    capacityMs: 600_000,
    clearedMarks: 'forgotten',
  };
  readonly #setup: OutgoingCall;
  readonly #streamId: string;
  readonly #extraHeaders: string;
  #sequence = 0;
  #chunk = 0;

  constructor(setup: OutgoingCall) {
    refuseVariant('Plivo', setup.variant);
    this.#setup = setup;
    this.format = chooseFormat('Plivo', setup.format, ['ulaw_8000', 'pcm_8000', 'pcm_16000']);
    this.#streamId = setup.newId();
    const { from, to, parameters, apiKey } = setup;
    this.#extraHeaders = Object.entries({ from, to, ...keyedParameters(parameters, apiKey) })
      .map(([name, value]) => `${name}=${value}`)
      .join(';');
  }

  greet(): readonly CarrierMessage[] {
    const start = {
      callId: this.#setup.newId(),
      streamId: this.#streamId,
      accountId: 'MADESKPHONE000000000',
      tracks: ['inbound'],
      mediaFormat: { encoding: this.#contentType, sampleRate: this.format.sampleRate },
    };
    return [this.#message('start', { start, extra_headers: this.#extraHeaders })];
  }

  callerAudio(frame: Uint8Array, atMs: number): readonly CarrierMessage[] {
    const media = {
      track: 'inbound',
      timestamp: this.#timestamp(atMs),
      chunk: ++this.#chunk,
      payload: Buffer.from(frame).toString('base64'),
    };
    return [this.#streamMessage('media', { media, extra_headers: this.#extraHeaders })];
  }

  key(digit: string, atMs: number): readonly CarrierMessage[] {
    const dtmf = { track: 'inbound', digit, timestamp: this.#timestamp(atMs) };
    return [this.#streamMessage('dtmf', { dtmf, extra_headers: this.#extraHeaders })];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const { body } = read;
    switch (body['event']) {
      case 'playAudio':
        return this.#playAudio(objectOf(body['media']));
      case 'checkpoint': {
        const name = textField(body, 'name');
        const events: SideEvent[] =
          name === undefined ? [finding('A checkpoint had no name.')] : [{ type: 'mark', name }];
        return [...this.#streamComplaints(body), ...events];
      }
      case 'clearAudio':
        return [...this.#streamComplaints(body), { type: 'clear' }];
      case 'sendDTMF':
        return [];
      default:
        return [finding(`Plivo knows no event "${String(body['event'])}" from a server.`)];
    }
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    if (event.type === 'mark') return [this.#streamMessage('playedStream', { name: event.name })];
    if (event.type === 'cleared') return [this.#streamMessage('clearedAudio', {})];
    return [];
  }

  /** There is no message for it: the connection is closed. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  get #contentType(): string {
    return this.format.codec === 'ulaw' ? 'audio/x-mulaw' : 'audio/x-l16';
  }

  #playAudio(media: JsonObject | undefined): readonly SideEvent[] {
    const isOurs =
      String(media?.['contentType']).split(';')[0] === this.#contentType &&
      Number(media?.['sampleRate']) === this.format.sampleRate;
    const complaint = finding(
      `playAudio must have contentType ${this.#contentType} and sampleRate ${this.format.sampleRate}, as the stream has.`,
    );
    return [...(isOurs ? [] : [complaint]), ...payloadEvents(media?.['payload'], this.format)];
  }

  #streamComplaints(body: JsonObject): readonly SideEvent[] {
    if (body['streamId'] === this.#streamId) return [];
    return [finding('A message was not for this stream: streamId is missing or another.')];
  }

  #timestamp(atMs: number): string {
    return String(Math.round(this.#setup.startsAtMs + atMs));
  }

  #streamMessage(event: string, fields: JsonObject): string {
    return this.#message(event, { streamId: this.#streamId, ...fields });
  }

  #message(event: string, fields: JsonObject): string {
    return JSON.stringify({ event, sequenceNumber: ++this.#sequence, ...fields });
  }
}
