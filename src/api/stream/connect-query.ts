import { parseStreamFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { SpeechWishes } from '../../synthesis/speech/voicing.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import { CONNECT_QUERY_SCHEMA } from './connect-query-schema.ts';

const PARAMETERS = CONNECT_QUERY_SCHEMA.properties;

/** What a client asked for at connect (PROTOCOL §1 "Query"); parameters it has no value for are absent. */
export interface ConnectQuery extends SpeechWishes {
  readonly inactivityTimeoutMs: number;
}

type RawQuery = Readonly<Record<string, unknown>>;

/** @throws SpeechError that names the parameter at fault and the values it may have. */
export function parseConnectQuery(query: RawQuery): ConnectQuery {
  const {
    output_format: format,
    optimize_streaming_latency: latency,
    apply_text_normalization: normalization,
  } = PARAMETERS;
  const latencyLevel = integer(query, 'optimize_streaming_latency') ?? latency.default;
  const normalise =
    oneOf(query, 'apply_text_normalization', normalization.enum) ?? normalization.default;
  return {
    format: parseStreamFormat(text(query, 'output_format') ?? format.default),
    latencyLevel: latencyLevel as LatencyLevel,
    autoMode: isTrue(query, 'auto_mode'),
    alignment: isTrue(query, 'sync_alignment') ? 'synchronised' : 'chunk',
    inactivityTimeoutMs: inactivityTimeoutMs(query),
    seed: integer(query, 'seed'),
    normalise: normalise === 'on' || (normalise === 'auto' && latencyLevel < 4),
  };
}

/** Kept apart from the rest: the timeout runs before the query is known to be right. */
export function inactivityTimeoutMs(query: RawQuery): number {
  const seconds = integer(query, 'inactivity_timeout') ?? PARAMETERS.inactivity_timeout.default;
  return seconds * 1000;
}

/** The last value of a parameter that a URL repeats; an empty one counts as absent. */
export function text(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' && last !== '' ? last : undefined;
}

function integer(
  query: RawQuery,
  name: 'optimize_streaming_latency' | 'inactivity_timeout' | 'seed',
): number | undefined {
  const value = text(query, name);
  if (value === undefined) return undefined;
  const { minimum, maximum } = PARAMETERS[name];
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new SpeechError(
    'invalid_input_message',
    `${name} must be a whole number from ${minimum} to ${maximum}.`,
    { param: name },
  );
}

function isTrue(query: RawQuery, name: 'auto_mode' | 'sync_alignment'): boolean {
  const value = oneOf(query, name, ['true', 'false']);
  return value === undefined ? PARAMETERS[name].default : value === 'true';
}

function oneOf<T extends string>(
  query: RawQuery,
  name: keyof typeof PARAMETERS,
  values: readonly T[],
): T | undefined {
  const value = text(query, name)?.toLowerCase();
  if (value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (known) return known;
  throw new SpeechError('invalid_input_message', `${name} must be one of ${values.join(', ')}.`, {
    param: name,
  });
}
