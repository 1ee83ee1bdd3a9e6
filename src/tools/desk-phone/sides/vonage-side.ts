import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { chooseFormat, keyedParameters, refuseVariant } from '../side-choices.ts';
import { audioEvents, finding, jsonMessage } from '../wire-checks.ts';

const FRAME_MS = 20;
/** "Vonage will only buffer 3072 messages", which are 20 ms each. */
const BUFFERED_MESSAGES = 3072;

export const openVonageSide = (setup: OutgoingCall): CarrierSide => new VonageSide(setup);

/**
 * Vonage's Voice websockets (developer.vonage.com, "WebSockets in the Vonage Voice API"): audio in
 * binary messages of exactly 20 ms, everything else in JSON. The headers of the NCCO come in the
 * first message, beside the content type.
 */
class VonageSide implements CarrierSide {
  readonly handshake: Handshake = { headers: {}, query: {} };
  readonly format: OutputFormat;
  readonly frameMs = FRAME_MS;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  readonly playout: PlayoutRules = {
    frameMs: FRAME_MS,
    prefillMs: 0,
    capacityMs: BUFFERED_MESSAGES * FRAME_MS,
    clearedMarks: 'forgotten',
  };
  readonly #setup: OutgoingCall;

  constructor(setup: OutgoingCall) {
    refuseVariant('Vonage', setup.variant);
    this.#setup = setup;
    this.format = chooseFormat('Vonage', setup.format, ['pcm_16000', 'pcm_8000', 'pcm_24000']);
  }

  greet(): readonly CarrierMessage[] {
    const { from, to, parameters, apiKey, newId } = this.#setup;
    const connected = {
      event: 'websocket:connected',
      'content-type': `audio/l16;rate=${this.format.sampleRate}`,
      call_uuid: newId(),
      from,
      to,
      ...keyedParameters(parameters, apiKey),
    };
    return [JSON.stringify(connected)];
  }

  callerAudio(frame: Uint8Array): readonly CarrierMessage[] {
    return [frame];
  }

  key(digit: string): readonly CarrierMessage[] {
    return [JSON.stringify({ event: 'websocket:dtmf', digit, duration: 260 })];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    if (typeof message !== 'string') return this.#audio(message);
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const { action, payload } = read.body;
    switch (action) {
      case 'clear':
        return [{ type: 'clear' }];
      case 'notify':
        // The payload comes back as it was.
        return [{ type: 'mark', name: JSON.stringify(payload ?? {}) }];
      default:
        return [finding(`Vonage knows no action "${String(action)}".`)];
    }
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    if (event.type === 'mark') {
      return [
        JSON.stringify({ event: 'websocket:notify', payload: JSON.parse(event.name) as unknown }),
      ];
    }
    return event.type === 'cleared' ? [JSON.stringify({ event: 'websocket:cleared' })] : [];
  }

  /** The leg ends, and the connection with it. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #audio(audio: Uint8Array): readonly SideEvent[] {
    const due = (this.format.bitsPerSecond * FRAME_MS) / 8000;
    const complaints =
      audio.length === due
        ? []
        : [finding(`A message was not of exactly 20 ms, which are ${due} bytes.`)];
    return [...complaints, ...audioEvents(audio, this.format)];
  }
}
