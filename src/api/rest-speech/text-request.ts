import { type OutputFormat, parseOutputFormat } from '../../domain/audio.ts';
import { countCharacters } from '../../domain/characters.ts';
import { SpeechError } from '../../domain/errors.ts';
import { type Model, resolveModel } from '../../domain/model.ts';
import type { ContextSettings } from '../../synthesis/speech/messages.ts';
import {
  type Normalisation,
  normalises,
  type SpeechRequest,
} from '../../synthesis/speech/speech-request.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import { readLocators } from '../wire/dictionary-locators.ts';
import { readVoiceSettings, SETTING_RANGES } from '../wire/voice-settings.ts';
import {
  CHECKED_LATER,
  type WireSpeechBody,
  type WireSpeechQuery,
  type WireSpeechSettings,
} from './speech-schemas.ts';

const DEFAULT_FORMAT = 'mp3_44100_128';
const MAX_SEED = 2 ** 32 - 1;
const MAX_LIST_LENGTH = 3;
const LISTS = [
  'pronunciation_dictionary_locators',
  'previous_request_ids',
  'next_request_ids',
] as const;
/** A text that a caller asked to have spoken, and how, checked. */
export interface RestSpeechRequest extends SpeechRequest, ContextSettings {
  readonly text: string;
  readonly model: Model;
  /** Whether the speech may be kept in the history. */
  readonly isKept: boolean;
}

/**
 * Checks what the schema let through, in the order in which the original does (PROTOCOL §3.2).
 *
 * @param admitFormat throws when the caller may not have a format, or this route cannot give it.
 * @throws SpeechError `invalid_output_format`, `empty_text`, `invalid_parameters`,
 *   `invalid_voice_settings`, `unsupported_model`, `text_too_long`; what `admitFormat` throws.
 */
export function readTextRequest(
  body: WireSpeechBody,
  query: WireSpeechQuery,
  admitFormat: (format: OutputFormat) => void,
): RestSpeechRequest {
  const format = parseOutputFormat(query.output_format || DEFAULT_FORMAT);
  admitFormat(format);
  return readTextRequestIn(format, body, query);
}

/** The same where the wire names the format in a way of its own. */
export function readTextRequestIn(
  format: OutputFormat,
  body: WireSpeechBody,
  query: Omit<WireSpeechQuery, 'output_format'> = {},
): RestSpeechRequest {
  if (body.text.trim() === '') throw emptyText();
  const seed = checkedSeed(body.seed);
  for (const list of LISTS) assertShort(list, body[list]?.length ?? 0);
  const wireSettings = body.voice_settings ?? {};
  assertInRange(wireSettings);
  const model = resolveModel(body.model_id ?? undefined);
  assertLength(body.text, model);
  const latencyLevel = latencyLevelOf(body, query, wireSettings);
  const normalisation = (body.apply_text_normalization ?? 'auto') as Normalisation;
  return {
    text: body.text,
    model,
    format,
    latencyLevel,
    normalise: normalises(normalisation, latencyLevel),
    hasAudioTags: model.hasAudioTags ?? false,
    alignment: 'synchronised',
    seed,
    voiceSettings: readVoiceSettings(wireSettings),
    dictionaries: readLocators(body.pronunciation_dictionary_locators),
    isKept: query.enable_logging ?? true,
  };
}

/** Also said of text that is only blanks and marks. */
export function emptyText(): SpeechError {
  return new SpeechError('empty_text', 'There is nothing to say in this text. Send some words.', {
    param: 'text',
  });
}

function checkedSeed(seed: number | null | undefined): number | undefined {
  if (seed == null) return undefined;
  if (seed >= 0 && seed <= MAX_SEED) return seed;
  throw new SpeechError(
    'invalid_parameters',
    `seed must be a whole number from 0 to ${MAX_SEED}.`,
    {
      param: 'seed',
    },
  );
}

function assertShort(list: string, length: number): void {
  if (length <= MAX_LIST_LENGTH) return;
  throw new SpeechError(
    'invalid_parameters',
    `${list} has ${length} entries; at most ${MAX_LIST_LENGTH} are allowed.`,
    { param: list },
  );
}

function assertInRange(settings: WireSpeechSettings): void {
  for (const name of CHECKED_LATER) {
    const value = settings[name];
    const [low, high] = SETTING_RANGES[name];
    if (value == null || (value >= low && value <= high)) continue;
    throw new SpeechError(
      'invalid_voice_settings',
      `${name} must be from ${low} to ${high}, not ${value}.`,
      { param: `voice_settings.${name}` },
    );
  }
}

/** @throws SpeechError `text_too_long`. */
export function assertLength(text: string, { modelId, maxTextLength }: Model): void {
  const characters = countCharacters(text);
  if (characters <= maxTextLength) return;
  throw new SpeechError(
    'text_too_long',
    `The text has ${characters} characters; ${modelId} takes at most ${maxTextLength} in one request. Send it in parts.`,
    { param: 'text' },
  );
}

function latencyLevelOf(
  body: WireSpeechBody,
  query: WireSpeechQuery,
  settings: WireSpeechSettings,
): LatencyLevel {
  const level =
    query.optimize_streaming_latency ??
    body.optimize_streaming_latency ??
    settings.optimize_streaming_latency ??
    0;
  return level as LatencyLevel;
}
