import { FURTHER_FORMATS, OUTPUT_FORMATS, type OutputFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';

/** All that can be sent while it is made, for wires that name formats in words of their own. */
export const STREAMABLE_FORMATS: readonly OutputFormat[] = [
  ...OUTPUT_FORMATS,
  ...FURTHER_FORMATS,
].filter(({ isStreamable }) => isStreamable);

/** The rates of some formats, each once, from the lowest. */
export function ratesOf(formats: readonly OutputFormat[]): readonly number[] {
  return [...new Set(formats.map(({ sampleRate }) => sampleRate))].sort((one, two) => one - two);
}

/** @param what the parameter, and of what; its name is the first word. */
export function notOneOf(
  what: string,
  given: string | number,
  known: ReadonlyArray<string | number>,
): SpeechError {
  return new SpeechError(
    'invalid_output_format',
    `The ${what} must be one of ${known.join(', ')}, not ${String(given).slice(0, 40)}.`,
    { param: what.split(' ')[0] ?? what },
  );
}
