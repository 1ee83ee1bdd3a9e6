import { parseStreamFormat } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import { resolveModel } from '../../domain/model.ts';
import { normalises, type SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import { spelledTruth } from '../wire/spelled-values.ts';
import { CONNECT_QUERY_SCHEMA, MAX_INACTIVITY_S } from './connect-query-schema.ts';

const PARAMETERS = CONNECT_QUERY_SCHEMA.properties;
const RANGES = {
  optimize_streaming_latency: PARAMETERS.optimize_streaming_latency,
  seed: PARAMETERS.seed,
  inactivity_timeout: { ...PARAMETERS.inactivity_timeout, maximum: Number.POSITIVE_INFINITY },
};

/** What a client asked for at connect (PROTOCOL §1 "Query"); parameters it has no value for are absent. */
export interface ConnectQuery extends SpeechRequest {
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
  const latencyLevel = (integer(query, 'optimize_streaming_latency') ??
    latency.default) as LatencyLevel;
  const normalisation =
    oneOf(query, 'apply_text_normalization', normalization.enum) ?? normalization.default;
  return {
    format: parseStreamFormat(text(query, 'output_format') ?? format.default),
    latencyLevel,
    isSsml: isTrue(query, 'enable_ssml_parsing'),
    hasAudioTags: resolveModel(text(query, 'model_id')).hasAudioTags ?? false,
    autoMode: isTrue(query, 'auto_mode'),
    alignment: isTrue(query, 'sync_alignment') ? 'synchronised' : 'chunk',
    inactivityTimeoutMs: inactivityTimeoutMs(query),
    seed: integer(query, 'seed'),
    normalise: normalises(normalisation, latencyLevel),
  };
}

/** Kept apart from the rest: the timeout runs before the query is known to be right. */
export function inactivityTimeoutMs(query: RawQuery): number {
  const seconds = integer(query, 'inactivity_timeout') ?? PARAMETERS.inactivity_timeout.default;
  return Math.min(seconds, MAX_INACTIVITY_S) * 1000;
}

/** The last value of a parameter that a URL repeats; an empty one counts as absent. */
export function text(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' && last !== '' ? last : undefined;
}

function integer(query: RawQuery, name: keyof typeof RANGES): number | undefined {
  const value = text(query, name);
  if (value === undefined) return undefined;
  const { minimum, maximum } = RANGES[name];
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  const range = Number.isFinite(maximum) ? `from ${minimum} to ${maximum}` : `from ${minimum} on`;
  throw new SpeechError('invalid_input_message', `${name} must be a whole number ${range}.`, {
    param: name,
  });
}

function isTrue(
  query: RawQuery,
  name: 'auto_mode' | 'sync_alignment' | 'enable_ssml_parsing',
): boolean {
  const value = text(query, name);
  if (value === undefined) return PARAMETERS[name].default;
  const truth = spelledTruth(value);
  if (truth === undefined) throw notOneOf(name, ['true', 'false']);
  return truth;
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
  throw notOneOf(name, values);
}

function notOneOf(name: string, values: readonly string[]): SpeechError {
  return new SpeechError('invalid_input_message', `${name} must be one of ${values.join(', ')}.`, {
    param: name,
  });
}
