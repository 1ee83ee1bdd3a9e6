import type { OutputFormat } from '../../domain/audio.ts';
import type { ContainedAudio } from '../rest-speech/contained-audio.ts';
import { notOneOf, ratesOf, STREAMABLE_FORMATS } from '../wire/asked-format.ts';

/** `output_format` of a request, as its schema lets it through. */
export interface AskedOutputFormat {
  readonly container?: string | null | undefined;
  readonly encoding?: string | null | undefined;
  readonly sample_rate?: number | null | undefined;
  readonly bit_rate?: number | null | undefined;
}

/** What each encoding is called here. */
const CODECS: ReadonlyMap<string, string> = new Map([
  ['pcm_s16le', 'pcm'],
  ['pcm_f32le', 'f32'],
  ['pcm_mulaw', 'ulaw'],
  ['pcm_alaw', 'alaw'],
]);
export const ENCODINGS: readonly string[] = [...CODECS.keys()];
export const CONTAINERS: readonly string[] = ['raw', 'wav', 'mp3'];

const DEFAULT_RATE = 44_100;
const DEFAULT_MP3_BITS_PER_SECOND = 128_000;

/** Audio without anything around it. @throws SpeechError `invalid_output_format` that says what there is. */
export function rawOutput(asked: AskedOutputFormat): OutputFormat {
  assertContainer(asked, ['raw']);
  return sampleFormat(asked);
}

/** Audio of a reply over HTTP. @throws SpeechError `invalid_output_format` that says what there is. */
export function containedOutput(asked: AskedOutputFormat): ContainedAudio {
  assertContainer(asked, CONTAINERS);
  if (asked.container === 'mp3') return mp3(asked);
  const format = sampleFormat(asked);
  if (asked.container === 'wav') return { format, isWav: true, contentType: 'audio/wav' };
  return { format, isWav: false, contentType: format.contentType };
}

function assertContainer({ container }: AskedOutputFormat, known: readonly string[]): void {
  const name = container ?? 'raw';
  if (!known.includes(name)) throw notOneOf('container of output_format', name, known);
}

function sampleFormat({ encoding, sample_rate: asked }: AskedOutputFormat): OutputFormat {
  const name = encoding ?? 'pcm_s16le';
  const codec = CODECS.get(name);
  if (!codec) throw notOneOf('encoding of output_format', name, ENCODINGS);
  const formats = STREAMABLE_FORMATS.filter((each) => each.codec === codec);
  const rate = asked ?? DEFAULT_RATE;
  const format = formats.find(({ sampleRate }) => sampleRate === rate);
  if (format) return format;
  throw notOneOf(`sample_rate of ${name}`, rate, ratesOf(formats));
}

function mp3({ sample_rate: askedRate, bit_rate: askedBits }: AskedOutputFormat): ContainedAudio {
  const formats = STREAMABLE_FORMATS.filter(({ codec }) => codec === 'mp3');
  const rate = askedRate ?? DEFAULT_RATE;
  const ofRate = formats.filter(({ sampleRate }) => sampleRate === rate);
  if (ofRate.length === 0) throw notOneOf('sample_rate of mp3', rate, ratesOf(formats));
  const bits = askedBits ?? DEFAULT_MP3_BITS_PER_SECOND;
  const format = ofRate.find(({ bitsPerSecond }) => bitsPerSecond === bits);
  if (format) return { format, isWav: false, contentType: 'audio/mpeg' };
  const known = ofRate.map(({ bitsPerSecond }) => bitsPerSecond);
  throw notOneOf(`bit_rate of mp3 at ${rate}`, bits, known);
}
