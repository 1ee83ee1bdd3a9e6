import type { Tier } from './account.ts';
import { SpeechError } from './errors.ts';

const SAMPLE_CODEC_NAMES = ['pcm', 'ulaw', 'alaw', 'f32'] as const;
/** Codecs that turn every sample into the same number of bytes, by itself. */
export type SampleCodecName = (typeof SAMPLE_CODEC_NAMES)[number];
export type CodecName = SampleCodecName | 'mp3' | 'opus' | 'flac';

/** What a caller asked to hear: one value of `output_format`. */
export interface OutputFormat {
  /** The wire name, such as `ulaw_8000`. */
  readonly name: string;
  readonly codec: CodecName;
  /** Samples per second of the encoded audio. */
  readonly sampleRate: number;
  /** Exact for mp3, PCM, mu-law, A-law and floats; what Opus and FLAC spend on average while somebody speaks. */
  readonly bitsPerSecond: number;
  /** Of an HTTP response (PROTOCOL §3.1). */
  readonly contentType: string;
  /** Whether audio can be sent before its length is known. A WAV file says it in its header. */
  readonly isStreamable: boolean;
  /** The smallest tier whose accounts may ask for the format. */
  readonly minimumTier: Tier;
}

/** Above the telephone's. */
const WIDE_RATES = [16_000, 22_050, 24_000, 44_100, 48_000];
const PCM_RATES = [8000, 16000, 22050, 24000, 32000, 44100, 48000];

export const OUTPUT_FORMATS: readonly OutputFormat[] = [
  mp3(22050, 32),
  mp3(24000, 48),
  ...[32, 64, 96, 128, 192].map((kilobits) => mp3(44100, kilobits)),
  ...[32, 64, 96, 128, 192].map(opus),
  ...PCM_RATES.map((sampleRate) => linear('pcm', sampleRate)),
  ...PCM_RATES.map((sampleRate) => linear('wav', sampleRate)),
  companded('ulaw', 8000),
  companded('alaw', 8000),
];

/** Those that other wires ask for besides, each in words of its own. */
export const FURTHER_FORMATS: readonly OutputFormat[] = [
  mp3(22050, 48),
  flac(24_000),
  ...WIDE_RATES.flatMap((rate) => [companded('ulaw', rate), companded('alaw', rate)]),
  ...[8000, ...WIDE_RATES].map(float),
];

/** Bits per second of formats that are named without them. */
const USUAL_BITRATES: ReadonlyMap<string, string> = new Map([
  ['mp3_22050', 'mp3_22050_32'],
  ['mp3_24000', 'mp3_24000_48'],
  ['mp3_44100', 'mp3_44100_128'],
  ['opus_48000', 'opus_48000_128'],
]);

/** Whether audio of a codec can be cut between any two samples. */
export function isSampleCodec(codec: CodecName): codec is SampleCodecName {
  return SAMPLE_CODEC_NAMES.some((name) => name === codec);
}

/** @throws SpeechError `invalid_output_format` that lists the formats there are. */
export function parseOutputFormat(name: string): OutputFormat {
  return findFormat(OUTPUT_FORMATS, name);
}

/** The format that something was spoken in, by its name. @throws SpeechError `invalid_output_format`. */
export function formatOfName(name: string): OutputFormat {
  return FURTHER_FORMATS.find((format) => format.name === name) ?? parseOutputFormat(name);
}

/** @throws SpeechError `invalid_output_format` that lists the formats which can be streamed. */
export function parseStreamFormat(name: string): OutputFormat {
  return findFormat(
    OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable),
    name,
  );
}

function findFormat(formats: readonly OutputFormat[], name: string): OutputFormat {
  const wholeName = USUAL_BITRATES.get(name) ?? name;
  const format = formats.find((candidate) => candidate.name === wholeName);
  if (format) return format;
  const known = formats.map((candidate) => candidate.name).join(', ');
  throw new SpeechError(
    'invalid_output_format',
    `Unknown output_format "${name}". Use one of: ${known}.`,
    { param: 'output_format' },
  );
}

function mp3(sampleRate: number, kilobits: number): OutputFormat {
  return {
    name: `mp3_${sampleRate}_${kilobits}`,
    codec: 'mp3',
    sampleRate,
    bitsPerSecond: 1000 * kilobits,
    contentType: 'audio/mpeg',
    isStreamable: true,
    minimumTier: kilobits === 192 ? 'creator' : 'free',
  };
}

/** Opus always counts at 48 kHz, whatever it was given. */
function opus(kilobits: number): OutputFormat {
  return {
    name: `opus_48000_${kilobits}`,
    codec: 'opus',
    sampleRate: 48000,
    bitsPerSecond: 1000 * kilobits,
    contentType: 'audio/opus',
    isStreamable: true,
    minimumTier: 'free',
  };
}

/** Without loss: how many bits a second takes depends on what is said; half of PCM's is usual. */
function flac(sampleRate: number): OutputFormat {
  return {
    name: `flac_${sampleRate}`,
    codec: 'flac',
    sampleRate,
    bitsPerSecond: 8 * sampleRate,
    contentType: 'audio/flac',
    isStreamable: true,
    minimumTier: 'free',
  };
}

function linear(container: 'pcm' | 'wav', sampleRate: number): OutputFormat {
  return {
    name: `${container}_${sampleRate}`,
    codec: 'pcm',
    sampleRate,
    bitsPerSecond: 16 * sampleRate,
    contentType: `audio/${container}`,
    isStreamable: container === 'pcm',
    minimumTier: sampleRate === 44100 ? 'pro' : 'free',
  };
}

function float(sampleRate: number): OutputFormat {
  return {
    name: `f32_${sampleRate}`,
    codec: 'f32',
    sampleRate,
    bitsPerSecond: 32 * sampleRate,
    contentType: 'audio/pcm',
    isStreamable: true,
    minimumTier: sampleRate === 44100 ? 'pro' : 'free',
  };
}

function companded(codec: 'ulaw' | 'alaw', sampleRate: number): OutputFormat {
  return {
    name: `${codec}_${sampleRate}`,
    codec,
    sampleRate,
    bitsPerSecond: 8 * sampleRate,
    contentType: `audio/${codec}`,
    isStreamable: true,
    minimumTier: 'free',
  };
}
