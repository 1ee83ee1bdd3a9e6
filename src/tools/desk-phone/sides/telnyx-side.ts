import type { CodecName, OutputFormat } from '../../../domain/audio.ts';
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

const ENCODINGS = new Map<CodecName, string>([
  ['ulaw', 'PCMU'],
  ['alaw', 'PCMA'],
  ['pcm', 'L16'],
]);
const SHORTEST_MS = 20;
const LONGEST_MS = 30_000;

export const openTelnyxSide = (setup: OutgoingCall): CarrierSide => new TelnyxSide(setup);

/**
 * Telnyx media streaming, bidirectional in rtp mode (developers.telnyx.com, "Stream call media over
 * WebSocket"). Sequence numbers, chunks and timestamps are text.
 */
class TelnyxSide implements CarrierSide {
  readonly handshake: Handshake = { headers: {}, query: {} };
  readonly format: OutputFormat;
  readonly frameMs = 20;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  readonly playout: PlayoutRules = {
    frameMs: 20,
    prefillMs: 0,
    capacityMs: 600_000,
    clearedMarks: 'echoed at once',
  };
  readonly #setup: OutgoingCall;
  readonly #streamId: string;
  readonly #userId: string;
  readonly #callControlId: string;
  #sequence = 0;
  #chunk = 0;

  constructor(setup: OutgoingCall) {
    refuseVariant('Telnyx', setup.variant);
    this.#setup = setup;
    this.format = chooseFormat('Telnyx', setup.format, [
      'ulaw_8000',
      'alaw_8000',
      'pcm_16000',
      'pcm_8000',
      'pcm_24000',
    ]);
    this.#streamId = setup.newId();
    this.#userId = setup.newId();
    this.#callControlId = `v3:${setup.newId().replaceAll('-', '')}`;
  }

  greet(): readonly CarrierMessage[] {
    const { from, to, parameters, apiKey } = this.#setup;
    const start = {
      user_id: this.#userId,
      call_control_id: this.#callControlId,
      call_session_id: this.#setup.newId(),
      from,
      to,
      tags: [],
      client_state: '',
      custom_parameters: keyedParameters(parameters, apiKey),
      media_format: {
        encoding: ENCODINGS.get(this.format.codec) ?? '',
        sample_rate: this.format.sampleRate,
        channels: 1,
      },
    };
    return [
      JSON.stringify({ event: 'connected', version: '1.0.0' }),
      this.#message('start', { start }),
    ];
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

  key(digit: string, atMs: number): readonly CarrierMessage[] {
    const occurred_at = new Date(this.#setup.startsAtMs + atMs).toISOString();
    return [this.#message('dtmf', { occurred_at, dtmf: { digit } })];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const { body } = read;
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
        return [finding(`Telnyx knows no event "${String(body['event'])}" from a server.`)];
    }
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    return event.type === 'mark' ? [this.#message('mark', { mark: { name: event.name } })] : [];
  }

  hangUp(): readonly CarrierMessage[] {
    const stop = { user_id: this.#userId, call_control_id: this.#callControlId };
    return [this.#message('stop', { stop })];
  }

  #media(payload: unknown): readonly SideEvent[] {
    const events = payloadEvents(payload, this.format);
    const bytes = events.reduce((sum, event) => sum + audioBytes(event), 0);
    const ms = (8000 * bytes) / this.format.bitsPerSecond;
    if (bytes === 0 || (ms >= SHORTEST_MS && ms <= LONGEST_MS)) return events;
    return [finding('A chunk was shorter than 20 ms or longer than 30 s.'), ...events];
  }

  #message(event: string, fields: JsonObject): string {
    const sequence_number = String(++this.#sequence);
    return JSON.stringify({ event, sequence_number, ...fields, stream_id: this.#streamId });
  }
}

function audioBytes(event: SideEvent): number {
  return event.type === 'audio' ? event.audio.length : 0;
}
