import type { OutputFormat } from '../../../domain/audio.ts';
import type { CarrierMessage } from '../../../domain/carrier.ts';
import type { CarrierSide, Handshake, OutgoingCall, SideEvent } from '../carrier-side.ts';
import type { PlayoutEvent, PlayoutRules } from '../playout-rules.ts';
import { chooseFormat, refuseVariant } from '../side-choices.ts';
import { audioEvents, finding } from '../wire-checks.ts';

const KIND = { hangUp: 0x00, id: 0x01, digit: 0x03, error: 0xff } as const;
/** First byte of a packet of 16-bit PCM, by its rate (docs.asterisk.org, "AudioSocket"). */
const AUDIO_KINDS: Readonly<Record<string, number>> = {
  pcm_8000: 0x10,
  pcm_16000: 0x12,
  pcm_24000: 0x13,
  pcm_32000: 0x14,
  pcm_44100: 0x15,
  pcm_48000: 0x16,
};
const HEADER_BYTES = 3;

export const openAudioSocketSide = (setup: OutgoingCall): CarrierSide => new AudioSocketSide(setup);

/**
 * Asterisk's AudioSocket, by its source (res/res_audiosocket.c). Asterisk keeps nothing of what it
 * is sent: each packet goes out as it comes, and what evens it out is the small jitter buffer of the
 * telephone at the other end. Messages are packets with their headers.
 */
class AudioSocketSide implements CarrierSide {
  readonly handshake: Handshake = { headers: {}, query: {} };
  readonly format: OutputFormat;
  readonly frameMs = 20;
  readonly isOpen = true;
  readonly waitsForGoodbye = false;
  // 40 ms of delay, and 200 ms at most: what jitter buffers of telephones have by default.
  readonly playout: PlayoutRules = {
    frameMs: 20,
    prefillMs: 40,
    capacityMs: 200,
    clearedMarks: 'forgotten',
  };
  readonly #id: string;
  readonly #audioKind: number;

  constructor(setup: OutgoingCall) {
    refuseVariant('AudioSocket', setup.variant);
    const [first = '', ...others] = Object.keys(AUDIO_KINDS);
    this.format = chooseFormat('AudioSocket', setup.format, [first, ...others]);
    this.#audioKind = AUDIO_KINDS[this.format.name] ?? 0;
    this.#id = setup.callId ?? setup.newId();
  }

  greet(): readonly CarrierMessage[] {
    return [packet(KIND.id, Buffer.from(this.#id.replaceAll('-', ''), 'hex'))];
  }

  callerAudio(frame: Uint8Array): readonly CarrierMessage[] {
    return [packet(this.#audioKind, frame)];
  }

  key(digit: string): readonly CarrierMessage[] {
    return [packet(KIND.digit, Buffer.from(digit, 'latin1'))];
  }

  receive(message: CarrierMessage): readonly SideEvent[] {
    if (typeof message === 'string') return [finding('Text came where only packets are due.')];
    const payload = message.subarray(HEADER_BYTES);
    const [kind = KIND.error] = message;
    if (kind === KIND.hangUp) return [{ type: 'hang-up', reason: 'The server hung up.' }];
    if (kind !== this.#audioKind) return brokenOff(kind);
    if (payload.length === 0) {
      return [
        finding('A packet of audio had none in it: Asterisk hangs up on it.'),
        { type: 'hang-up', reason: 'An empty packet came.' },
      ];
    }
    return audioEvents(payload, this.format);
  }

  tell(_event: PlayoutEvent): readonly CarrierMessage[] {
    return [];
  }

  hangUp(): readonly CarrierMessage[] {
    return [packet(KIND.hangUp, new Uint8Array(0))];
  }
}

/** "Received AudioSocket message other than hangup or audio": Asterisk ends the call. */
function brokenOff(kind: number): readonly SideEvent[] {
  const name = `0x${kind.toString(16).padStart(2, '0')}`;
  return [
    finding(`A packet of the type ${name} came, on which Asterisk hangs up.`),
    { type: 'hang-up', reason: `A packet of the type ${name} came.` },
  ];
}

function packet(kind: number, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + payload.length);
  bytes.writeUInt8(kind, 0);
  bytes.writeUInt16BE(payload.length, 1);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}
