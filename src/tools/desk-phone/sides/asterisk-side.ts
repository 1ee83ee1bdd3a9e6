import type { CodecName, OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { basicAuthorization, chooseFormat, chooseVariant } from '../side-choices.ts';
import { audioEvents, finding } from '../wire-checks.ts';
import { AsteriskWords } from './asterisk-words.ts';

const FRAME_MS = 20;
/** QUEUE_LENGTH_MAX, …_XOFF_LEVEL and …_XON_LEVEL of channels/chan_websocket.c, in frames. */
const QUEUE_FRAMES = 1000;
const XOFF_FRAMES = 900;
const XON_FRAMES = 800;
/** The byte of silence, where it is not zero. */
const SILENCE = new Map<CodecName, number>([
  ['ulaw', 0xff],
  ['alaw', 0xd5],
]);
const LONGEST_BYTES = 65_500;
const LONGEST_TEXT_BYTES = 128;

const FORMATS: Readonly<Record<string, string>> = {
  ulaw_8000: 'ulaw',
  alaw_8000: 'alaw',
  pcm_8000: 'slin',
  pcm_16000: 'slin16',
  pcm_24000: 'slin24',
  pcm_48000: 'slin48',
};

export const openAsteriskSide = (setup: OutgoingCall): CarrierSide => new AsteriskSide(setup);

/**
 * Asterisk's `chan_websocket`, by its source (channels/chan_websocket.c) and its document
 * (docs.asterisk.org, "WebSocket"). Variants: `json` and `plain` control messages.
 */
class AsteriskSide implements CarrierSide {
  readonly handshake: Handshake;
  readonly format: OutputFormat;
  readonly frameMs = FRAME_MS;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  readonly playout: PlayoutRules = {
    frameMs: FRAME_MS,
    prefillMs: 0,
    capacityMs: QUEUE_FRAMES * FRAME_MS,
    clearedMarks: 'forgotten',
    flow: { offMs: XOFF_FRAMES * FRAME_MS, onMs: XON_FRAMES * FRAME_MS },
  };
  readonly #setup: OutgoingCall;
  readonly #words: AsteriskWords;
  readonly #frameBytes: number;
  readonly #silence: number;
  #isBuffering = false;
  #isFull = false;
  /** Audio that does not fill a frame yet; kept only while buffering. */
  #rest = new Uint8Array(0);
  #asksDrained = false;

  constructor(setup: OutgoingCall) {
    this.#setup = setup;
    const form = chooseVariant('Asterisk', setup.variant, ['json', 'plain']);
    const [first = '', ...others] = Object.keys(FORMATS);
    this.format = chooseFormat('Asterisk', setup.format, [first, ...others]);
    this.#frameBytes = (this.format.bitsPerSecond * FRAME_MS) / 8000;
    this.#silence = SILENCE.get(this.format.codec) ?? 0;
    this.#words = new AsteriskWords(form, `deskphone-${Math.floor(setup.startsAtMs / 1000)}.1`);
    // By v(…) of the dial string, as plain control messages have no room for variables; user and
    // password are those of websocket_client.conf.
    const { from, to, parameters, apiKey } = setup;
    this.handshake = {
      headers: basicAuthorization(apiKey),
      query: { from, to, ...parameters },
    };
  }

  greet(): readonly CarrierMessage[] {
    return [
      this.#words.event('MEDIA_START', {
        connection_id: this.#setup.newId(),
        channel: 'WebSocket/deskphone/0x7f2a54000c80',
        channel_id: this.#words.channelId,
        format: FORMATS[this.format.name],
        optimal_frame_size: this.#frameBytes,
        ptime: FRAME_MS,
        channel_variables: {
          MEDIA_WEBSOCKET_OPTIMAL_FRAME_SIZE: String(this.#frameBytes),
          ...this.#setup.parameters,
        },
      }),
    ];
  }

  callerAudio(frame: Uint8Array): readonly CarrierMessage[] {
    return [frame];
  }

  key(digit: string): readonly CarrierMessage[] {
    return [this.#words.event('DTMF_END', { digit })];
  }

  receive(message: CarrierMessage, _atMs: number, queuedMs: number): readonly SideEvent[] {
    if (typeof message !== 'string') return this.#audio(message);
    if (Buffer.byteLength(message) > LONGEST_TEXT_BYTES) {
      return [finding('A command was above 128 bytes: Asterisk drops it without a word.')];
    }
    const command = this.#words.command(message);
    return command
      ? this.#handle(command.name, command.id, queuedMs)
      : [finding(`A command was not ${this.#words.form === 'json' ? 'JSON' : 'plain text'}.`)];
  }

  tell(event: PlayoutEvent): readonly CarrierMessage[] {
    switch (event.type) {
      case 'mark': {
        // The kind of answer stands before the id; see #handle.
        const [name = '', ...id] = event.name.split(' ');
        return [this.#words.answer(name, id.join(' '))];
      }
      case 'flow':
        this.#isFull = !event.isOpen;
        return [this.#words.event(event.isOpen ? 'MEDIA_XON' : 'MEDIA_XOFF', {})];
      case 'drained':
        if (!this.#asksDrained) return [];
        this.#asksDrained = false;
        return [this.#words.event('QUEUE_DRAINED', {})];
      case 'cleared':
      case 'started':
        return [];
    }
  }

  /** The channel is gone, and Asterisk closes the connection. */
  hangUp(): readonly CarrierMessage[] {
    return [];
  }

  #handle(name: string, id: string, queuedMs: number): readonly SideEvent[] {
    switch (name) {
      case 'START_MEDIA_BUFFERING':
        this.#isBuffering = true;
        return [];
      case 'STOP_MEDIA_BUFFERING':
        return this.#stopBuffering(id);
      case 'MARK_MEDIA':
        return [{ type: 'mark', name: `MEDIA_MARK_PROCESSED ${id}` }];
      case 'FLUSH_MEDIA':
        this.#isBuffering = false;
        this.#rest = new Uint8Array(0);
        return [{ type: 'clear' }, { type: 'pause', isPaused: false }];
      case 'PAUSE_MEDIA':
      case 'CONTINUE_MEDIA':
        return [{ type: 'pause', isPaused: name === 'PAUSE_MEDIA' }];
      case 'REPORT_QUEUE_DRAINED':
        this.#asksDrained = true;
        return [{ type: 'ask-drained' }];
      case 'GET_STATUS':
        return [{ type: 'reply', messages: [this.#status(queuedMs)] }];
      case 'HANGUP':
        return [{ type: 'hang-up', reason: 'The server hung up.' }];
      case 'ANSWER':
      case 'SET_MEDIA_DIRECTION':
        return [];
      default:
        return [finding(`Asterisk knows no command "${name}".`)];
    }
  }

  #audio(audio: Uint8Array): readonly SideEvent[] {
    if (audio.length > LONGEST_BYTES) {
      return [
        finding('A message was above 65,500 bytes: Asterisk closes the connection on it.'),
        { type: 'hang-up', reason: 'A message was above 65,500 bytes.' },
      ];
    }
    const events: SideEvent[] = [];
    if (this.#isFull) {
      events.push(finding('Audio was sent after MEDIA_XOFF: Asterisk drops what does not fit.'));
    }
    const joined = this.#isBuffering ? Buffer.concat([this.#rest, audio]) : audio;
    const whole = joined.length - (joined.length % this.#frameBytes);
    this.#rest = this.#isBuffering ? Uint8Array.from(joined.subarray(whole)) : new Uint8Array(0);
    if (!this.#isBuffering && whole < audio.length) {
      events.push(
        finding(
          `Outside buffering a message was not a multiple of ${this.#frameBytes} bytes: Asterisk drops the rest.`,
        ),
      );
    }
    // What is wrong with the bytes shows in the message; what is played is whole frames of it.
    const checked = audioEvents(audio, this.format).filter(({ type }) => type === 'finding');
    events.push(...checked);
    if (whole > 0) events.push({ type: 'audio', audio: joined.subarray(0, whole) });
    return events;
  }

  #stopBuffering(id: string): readonly SideEvent[] {
    this.#isBuffering = false;
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    const done: SideEvent = { type: 'mark', name: `MEDIA_BUFFERING_COMPLETED ${id}` };
    if (rest.length === 0) return [done];
    const frame = new Uint8Array(this.#frameBytes).fill(this.#silence);
    frame.set(rest);
    return [{ type: 'audio', audio: frame }, done];
  }

  #status(queuedMs: number): string {
    return this.#words.event('STATUS', {
      queue_length: Math.ceil(queuedMs / FRAME_MS),
      xon_level: XON_FRAMES,
      xoff_level: XOFF_FRAMES,
      queue_full: this.#isFull,
      bulk_media: this.#isBuffering,
      media_paused: false,
    });
  }
}
