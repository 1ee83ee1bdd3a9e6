import type { OutputFormat } from '../../domain/audio.ts';
import type { ContainedAudio } from '../rest-speech/contained-audio.ts';
import { notOneOf, ratesOf, STREAMABLE_FORMATS } from '../wire/asked-format.ts';

/** What a request says about its audio (https://developers.deepgram.com/docs/tts-media-output-settings). */
export interface AskedAudio {
  readonly encoding?: string | null | undefined;
  readonly container?: string | null | undefined;
  readonly sampleRate?: number | null | undefined;
  readonly bitRate?: number | null | undefined;
}

interface RawEncoding {
  readonly codec: string;
  /** Unless another is asked for. */
  readonly defaultRate: number;
  readonly highestRate: number;
}

/** Encodings without frames, each with the codec here. */
const RAW_ENCODINGS: ReadonlyMap<string, RawEncoding> = new Map([
  ['linear16', { codec: 'pcm', defaultRate: 24_000, highestRate: 48_000 }],
  ['mulaw', { codec: 'ulaw', defaultRate: 8000, highestRate: 16_000 }],
  ['alaw', { codec: 'alaw', defaultRate: 8000, highestRate: 16_000 }],
]);
export const RAW_ENCODING_NAMES: readonly string[] = [...RAW_ENCODINGS.keys()];
export const ENCODING_NAMES: readonly string[] = [...RAW_ENCODING_NAMES, 'mp3', 'opus'];

/** Of Deepgram's `speed`. */
export const SPEED_RANGE = '0.7 to 1.5';

const MP3_RATE = 22_050;
const DEFAULT_MP3_BITS_PER_SECOND = 48_000;
const DEFAULT_OPUS_BITS_PER_SECOND = 12_000;

/** Audio of a websocket: raw. @throws SpeechError `invalid_output_format` that says what there is. */
export function rawFormat({ encoding, sampleRate }: AskedAudio): OutputFormat {
  const name = encoding ?? 'linear16';
  const raw = RAW_ENCODINGS.get(name);
  if (!raw) throw notOneOf('encoding', name, RAW_ENCODING_NAMES);
  const formats = STREAMABLE_FORMATS.filter(
    ({ codec, sampleRate: rate }) => codec === raw.codec && rate <= raw.highestRate,
  );
  const rate = sampleRate ?? raw.defaultRate;
  const format = formats.find((each) => each.sampleRate === rate);
  if (format) return format;
  throw notOneOf(`sample_rate of ${name}`, rate, ratesOf(formats));
}

/** Audio of a reply over HTTP. @throws SpeechError `invalid_output_format` that says what there is. */
export function containedAudio(asked: AskedAudio): ContainedAudio {
  const encoding = asked.encoding ?? 'mp3';
  if (encoding === 'mp3') return mp3(asked);
  if (encoding === 'opus') return opus(asked);
  if (!RAW_ENCODINGS.has(encoding)) throw notOneOf('encoding', encoding, ENCODING_NAMES);
  const format = rawFormat(asked);
  const container = asked.container ?? 'wav';
  assertContainer(encoding, container, ['wav', 'none']);
  if (container === 'wav') return { format, isWav: true, contentType: 'audio/wav' };
  const type = encoding === 'linear16' ? 'l16' : encoding;
  const contentType = `audio/${type};rate=${format.sampleRate};channels=1`;
  return { format, isWav: false, contentType };
}

function mp3({ container, sampleRate, bitRate }: AskedAudio): ContainedAudio {
  assertContainer('mp3', container ?? 'none', ['none']);
  const rate = sampleRate ?? MP3_RATE;
  if (rate !== MP3_RATE) throw notOneOf('sample_rate of mp3', rate, [MP3_RATE]);
  const formats = STREAMABLE_FORMATS.filter(
    (each) => each.codec === 'mp3' && each.sampleRate === MP3_RATE,
  );
  const wanted = bitRate ?? DEFAULT_MP3_BITS_PER_SECOND;
  const format = formats.find(({ bitsPerSecond }) => bitsPerSecond === wanted);
  if (format) return { format, isWav: false, contentType: 'audio/mpeg' };
  throw notOneOf(
    'bit_rate of mp3',
    wanted,
    formats.map(({ bitsPerSecond }) => bitsPerSecond),
  );
}

/** The encoder has fewer rates of bits than the original: the next one up counts, or else the last. */
function opus({ container, sampleRate, bitRate }: AskedAudio): ContainedAudio {
  assertContainer('opus', container ?? 'ogg', ['ogg']);
  const formats = STREAMABLE_FORMATS.filter(({ codec }) => codec === 'opus');
  const rates = ratesOf(formats);
  if (sampleRate != null && !rates.includes(sampleRate)) {
    throw notOneOf('sample_rate of opus', sampleRate, rates);
  }
  const wanted = bitRate ?? DEFAULT_OPUS_BITS_PER_SECOND;
  const format = formats.find(({ bitsPerSecond }) => bitsPerSecond >= wanted) ?? formats.at(-1);
  if (!format) throw new Error('There is no format of Opus.');
  return { format, isWav: false, contentType: 'audio/ogg;codecs=opus' };
}

function assertContainer(encoding: string, container: string, known: readonly string[]): void {
  if (!known.includes(container)) throw notOneOf(`container of ${encoding}`, container, known);
}
