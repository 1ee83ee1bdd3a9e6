import { type OutputFormat, parseOutputFormat } from '../domain/audio.ts';
import { SpeechError } from '../domain/errors.ts';
import type { LatencyLevel } from '../text/chunk-policy.ts';

const DEFAULT_OUTPUT_FORMAT = 'ulaw_8000';
const DEFAULT_INACTIVITY_S = 20;
const MAX_INACTIVITY_S = 180;
const MAX_SEED = 2 ** 32 - 1;

/** What a client asked for at connect (PROTOCOL §1 "Query"); parameters it has no value for are absent. */
export interface ConnectQuery {
  readonly format: OutputFormat;
  readonly latencyLevel: LatencyLevel;
  readonly autoMode: boolean;
  readonly inactivityTimeoutMs: number;
  readonly seed: number | undefined;
  readonly normalise: boolean;
}

type RawQuery = Readonly<Record<string, unknown>>;

/** @throws SpeechError that names the parameter at fault and the values it may have. */
export function parseConnectQuery(query: RawQuery): ConnectQuery {
  const latencyLevel = integer(query, 'optimize_streaming_latency', 0, 4, 0) as LatencyLevel;
  const normalisation = oneOf(query, 'apply_text_normalization', ['auto', 'on', 'off'], 'auto');
  return {
    format: parseOutputFormat(text(query, 'output_format') ?? DEFAULT_OUTPUT_FORMAT),
    latencyLevel,
    autoMode: oneOf(query, 'auto_mode', ['true', 'false'], 'false') === 'true',
    inactivityTimeoutMs: inactivityTimeoutMs(query),
    seed: text(query, 'seed') === undefined ? undefined : integer(query, 'seed', 0, MAX_SEED, 0),
    normalise: normalisation === 'on' || (normalisation === 'auto' && latencyLevel < 4),
  };
}

/** Kept apart from the rest: the timeout runs before the query is known to be right. */
export function inactivityTimeoutMs(query: RawQuery): number {
  return integer(query, 'inactivity_timeout', 1, MAX_INACTIVITY_S, DEFAULT_INACTIVITY_S) * 1000;
}

/** The last value of a parameter that a URL repeats; an empty one counts as absent. */
export function text(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' && last !== '' ? last : undefined;
}

function integer(
  query: RawQuery,
  name: string,
  low: number,
  high: number,
  fallback: number,
): number {
  const value = text(query, name);
  if (value === undefined) return fallback;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= low && number <= high) return number;
  throw new SpeechError(
    'invalid_input_message',
    `${name} must be a whole number from ${low} to ${high}.`,
    { param: name },
  );
}

function oneOf<T extends string>(
  query: RawQuery,
  name: string,
  values: readonly T[],
  fallback: T,
): T {
  const value = text(query, name)?.toLowerCase();
  if (value === undefined) return fallback;
  const known = values.find((candidate) => candidate === value);
  if (known) return known;
  throw new SpeechError('invalid_input_message', `${name} must be one of ${values.join(', ')}.`, {
    param: name,
  });
}
