import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { chooseFormat, chooseVariant } from '../side-choices.ts';
import {
  audioEvents,
  finding,
  type JsonObject,
  jsonMessage,
  objectOf,
  payloadEvents,
  textField,
} from '../wire-checks.ts';

type Module = 'audio_stream' | 'audio_stream_raw' | 'audio_stream_kill' | 'audio_fork';

/** What the address must tell Sidetone of the module at this end; other servers do not mind. */
const QUERIES: Readonly<Record<Module, Readonly<Record<string, string>>>> = {
  audio_stream: {},
  audio_stream_raw: { playback: 'raw' },
  audio_stream_kill: { playback: 'raw', clears: 'true' },
  audio_fork: { module: 'audio_fork', marks: 'true' },
};

export const openFreeswitchSide = (setup: OutgoingCall): CarrierSide => new FreeswitchSide(setup);

/**
 * FreeSWITCH modules that stream a channel to a websocket. Variants: mod_audio_stream with Base64 in
 * JSON (github.com/amigniter/mod_audio_stream), the same with binary messages, a build of that which
 * falls silent on `killAudio`, and mod_audio_fork of jambonz, which knows marks as well.
 */
class FreeswitchSide implements CarrierSide {
  readonly handshake: Handshake;
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
  readonly #module: Module;

  constructor(setup: OutgoingCall) {
    this.#setup = setup;
    this.#module = chooseVariant('FreeSWITCH', setup.variant, [
      'audio_stream',
      'audio_stream_raw',
      'audio_stream_kill',
      'audio_fork',
    ]);
    this.format = chooseFormat('FreeSWITCH', setup.format, [
      'pcm_8000',
      'pcm_16000',
      'pcm_24000',
      'pcm_32000',
      'pcm_48000',
    ]);
    // STREAM_EXTRA_HEADERS takes any; the rate is announced nowhere else.
    this.handshake = {
      headers: setup.apiKey === undefined ? {} : { 'xi-api-key': setup.apiKey },
      query: { rate: String(this.format.sampleRate), ...QUERIES[this.#module] },
    };
  }

  /** The metadata that the dialplan gave to `uuid_audio_stream … start`. */
  greet(): readonly CarrierMessage[] {
    const { from, to, parameters, newId } = this.#setup;
    return [JSON.stringify({ uuid: newId(), from, to, ...parameters })];
  }

  callerAudio(frame: Uint8Array): readonly CarrierMessage[] {
    return [frame];
  }

  /** No module sends keys by itself but mod_audio_fork under jambonz: dialplans do, with `send_text`. */
  key(digit: string): readonly CarrierMessage[] {
    const fields = this.#module === 'audio_fork' ? { dtmf: digit, duration: '1600' } : { digit };
    return [JSON.stringify({ event: 'dtmf', ...fields })];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    if (typeof message !== 'string') return this.#binary(message);
    const read = jsonMessage(message);
    if ('events' in read) return read.events;
    const data = objectOf(read.body['data']);
    switch (read.body['type']) {
      case 'streamAudio':
        return this.#base64('audio_stream', data, 'audioDataType', 'audioData');
      case 'playAudio':
        return this.#base64('audio_fork', data, 'audioContentType', 'audioContent');
      default:
        return this.#command(read.body['type'], data);
    }
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    if (event.type !== 'mark') return [];
    const data = { name: event.name, event: event.isCleared ? 'cleared' : 'playout' };
    return [JSON.stringify({ type: 'mark', data })];
  }

  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #binary(audio: Uint8Array): readonly SideEvent[] {
    if (this.#module !== 'audio_stream') return audioEvents(audio, this.format);
    return [finding('Binary audio came, which this build of mod_audio_stream does not play.')];
  }

  #base64(
    module: 'audio_stream' | 'audio_fork',
    data: JsonObject | undefined,
    typeName: string,
    audioName: string,
  ): readonly SideEvent[] {
    if (!this.#module.startsWith(module)) {
      return [finding(`Audio came in the words of mod_${module}, which is not at this end.`)];
    }
    if (data?.[typeName] !== 'raw') {
      return [
        finding(`Audio of the type "${String(data?.[typeName])}" came; this phone plays raw.`),
      ];
    }
    const complaints =
      data['sampleRate'] === this.format.sampleRate
        ? []
        : [finding(`sampleRate was not ${this.format.sampleRate}, the rate of the channel.`)];
    return [...complaints, ...payloadEvents(data[audioName], this.format)];
  }

  /** What a module does not know is an event for the dialplan, as every text is for mod_audio_stream. */
  #command(type: unknown, data: JsonObject | undefined): readonly SideEvent[] {
    const isFork = this.#module === 'audio_fork';
    if (type === 'killAudio' && (isFork || this.#module === 'audio_stream_kill')) {
      return [{ type: 'clear' }];
    }
    if (!isFork) return [];
    switch (type) {
      case 'mark': {
        const name = textField(data, 'name');
        return name === undefined ? [finding('A mark had no name.')] : [{ type: 'mark', name }];
      }
      case 'disconnect':
        return [{ type: 'hang-up', reason: 'The server disconnected.' }];
      default:
        return [];
    }
  }
}
