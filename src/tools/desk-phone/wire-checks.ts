import type { OutputFormat } from '../../domain/audio.ts';
import type { CarrierMessage } from '../../domain/carrier.ts';
import { sampleCodecOf } from '../../synthesis/audio/codec.ts';
import type { SideEvent } from './carrier-side.ts';

/** File headers that have been sent as audio; each is heard as a click or a burst of noise. */
const CONTAINERS: ReadonlyArray<readonly [string, string]> = [
  ['RIFF', 'WAV'],
  ['ID3', 'MP3'],
  ['OggS', 'Ogg'],
  ['fLaC', 'FLAC'],
];
/** So many bytes of zero in mu-law are no speech: zero is full scale there. */
const LOUD_ZEROS = Buffer.alloc(40);
const PRINTABLE = /^[\t\n\r -~]+$/;
/** How JSON and XML begin. A bracket alone is a quiet sample of mu-law, and so may be what follows. */
const MARKUP = /^(?:\{\s*"|\[\s*[{"]|<[?!a-z])/i;

export function finding(text: string): SideEvent {
  return { type: 'finding', text };
}

/** Audio, with whatever is wrong with it; a half sample at its end is cut off, as a decoder does. */
export function audioEvents(audio: Uint8Array, format: OutputFormat): readonly SideEvent[] {
  const complaints = [...audioComplaints(audio, format)].map(finding);
  const { bytesPerSample } = sampleCodecOf(format);
  const whole = audio.subarray(0, audio.length - (audio.length % bytesPerSample));
  return whole.length === 0 ? complaints : [...complaints, { type: 'audio', audio: whole }];
}

function* audioComplaints(audio: Uint8Array, format: OutputFormat): Generator<string> {
  if (audio.length === 0) yield 'A message of audio had none in it.';
  const head = Buffer.from(audio.subarray(0, 64)).toString('latin1');
  const container = CONTAINERS.find(([magic]) => head.startsWith(magic));
  if (container) yield `A ${container[1]} header was sent as audio: a caller hears a click.`;
  if (MARKUP.test(head) && PRINTABLE.test(head)) {
    yield 'Text was sent as audio: a caller hears a burst of noise.';
  }
  if (audio.length % sampleCodecOf(format).bytesPerSample !== 0) {
    yield 'An odd byte count was sent where a sample has two bytes.';
  }
  if (format.codec === 'ulaw' && Buffer.from(audio).includes(LOUD_ZEROS)) {
    yield 'Mu-law bytes of zero were sent, which are full scale and no silence; that is 0xFF.';
  }
}

/** The audio of a Base64 payload, or what is wrong with it. */
export function payloadEvents(payload: unknown, format: OutputFormat): readonly SideEvent[] {
  if (typeof payload !== 'string') return [finding('A media message had no payload.')];
  if (payload.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(payload)) {
    return [finding('A payload was not Base64.')];
  }
  return audioEvents(Buffer.from(payload, 'base64'), format);
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A text message as a JSON object, or what is wrong with it. */
export function jsonMessage(
  message: CarrierMessage,
): { readonly body: JsonObject } | { readonly events: readonly SideEvent[] } {
  if (typeof message !== 'string') {
    return { events: [finding('A binary message came where only text is due.')] };
  }
  const body = parseJsonObject(message);
  return body ? { body } : { events: [finding('A text message was not a JSON object.')] };
}

export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The object that something is, if it is one. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** A field that must be text. */
export function textField(body: JsonObject | undefined, name: string): string | undefined {
  const value = body?.[name];
  return typeof value === 'string' ? value : undefined;
}
