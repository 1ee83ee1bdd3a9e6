import { SpeechError } from './errors.ts';

export type CodecName = 'pcm' | 'ulaw';

/** What a caller asked to hear: one value of `output_format`. */
export interface OutputFormat {
  /** The wire name, such as `ulaw_8000`. */
  readonly name: string;
  readonly codec: CodecName;
  /** Samples per second of the encoded audio. */
  readonly sampleRate: number;
}

const pcm = (sampleRate: number): OutputFormat => ({
  name: `pcm_${sampleRate}`,
  codec: 'pcm',
  sampleRate,
});

export const OUTPUT_FORMATS: readonly OutputFormat[] = [
  { name: 'ulaw_8000', codec: 'ulaw', sampleRate: 8000 },
  ...[8000, 16000, 22050, 24000, 44100].map(pcm),
];

/** @throws SpeechError `invalid_output_format` that lists the formats there are. */
export function parseOutputFormat(name: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((candidate) => candidate.name === name);
  if (format) return format;
  const known = OUTPUT_FORMATS.map((candidate) => candidate.name).join(', ');
  throw new SpeechError(
    'invalid_output_format',
    `Unknown output_format "${name}". Use one of: ${known}.`,
    { param: 'output_format' },
  );
}
