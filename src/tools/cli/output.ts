import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Writable } from 'node:stream';
import {
  isSampleCodec,
  OUTPUT_FORMATS,
  type OutputFormat,
  parseOutputFormat,
} from '../../domain/audio.ts';
import { wavFile } from '../../synthesis/audio/wav.ts';
import { CliError } from './cli-error.ts';

/** 16-bit PCM at the voices' own rate, in a WAV file. */
const WAV = 'wav';
const WAV_FORMAT = 'pcm_22050';
/** Formats that a file's extension asks for; any other is raw PCM. */
const FORMAT_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.ulaw': 'ulaw_8000',
  '.ul': 'ulaw_8000',
  '.mulaw': 'ulaw_8000',
  '.alaw': 'alaw_8000',
  '.al': 'alaw_8000',
  '.mp3': 'mp3_44100_128',
  '.opus': 'opus_48000_64',
  '.ogg': 'opus_48000_64',
};

export const FORMAT_CHOICES: readonly string[] = [
  WAV,
  ...OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable).map(({ name }) => name),
];

/** Where audio goes, and as what. */
export interface Output {
  /** A path, or `-` for stdout. */
  readonly path: string;
  readonly format: OutputFormat;
  readonly container: 'wav' | 'none';
}

/**
 * The file name decides what the format flag leaves open: `call.ulaw` is mu-law, `x.wav` has a header.
 * @throws CliError when a WAV file cannot hold the format.
 */
export function chooseOutput(path: string, formatName: string | undefined): Output {
  const extension = extname(path).toLowerCase();
  const name = formatName === WAV ? WAV_FORMAT : formatName;
  const format = parseOutputFormat(name ?? FORMAT_BY_EXTENSION[extension] ?? WAV_FORMAT);
  const container = extension === '.wav' || formatName === WAV ? 'wav' : 'none';
  if (container === 'wav' && !isSampleCodec(format.codec)) {
    throw new CliError(
      `${format.name} does not go into a .wav file. Name the file .${format.codec}, or leave out --format.`,
      'usage',
    );
  }
  return { path, format, container };
}

/** Raw audio on stdout is passed on as it comes, so that a player can start at once. */
export function isLive({ path, container }: Output): boolean {
  return path === '-' && container === 'none';
}

/** @throws CliError when the file cannot be written. */
export async function writeOutput(
  output: Output,
  audio: Uint8Array,
  stdout: Writable,
): Promise<void> {
  const content = output.container === 'wav' ? wavFile(output.format, audio) : audio;
  if (output.path === '-') {
    stdout.write(content);
    return;
  }
  await writeFile(output.path, content).catch((cause: Error) => {
    throw new CliError(`Cannot write ${output.path}: ${cause.message}`, 'failed', { cause });
  });
}
