import { readFileSync } from 'node:fs';

/** A voice's settings file, `<voice>.onnx.json`, as far as the program needs it. */
export interface VoiceConfig {
  readonly sampleRate: number;
  /** The phonemiser's name for the language, such as `en-us`. */
  readonly espeakVoice: string;
  readonly language: {
    /** Such as `en_US`; made from `espeakVoice` when the file has none. */
    readonly code: string;
    /** In English; the code when the file has no name. */
    readonly name: string;
  };
  /** Rows of the speaker table; 1 for a single-speaker voice. */
  readonly speakers: number;
  /** Names of speakers by row, as the training data had them; empty when it had none. */
  readonly speakerIdMap: Readonly<Record<string, number>>;
  readonly inference: VoiceInference;
  /** Model input for each phoneme symbol. */
  readonly phonemeIds: ReadonlyMap<string, readonly number[]>;
  /** Symbols to read in place of others, before their ids are looked up. */
  readonly phonemeMap: ReadonlyMap<string, readonly string[]>;
  readonly hopLength: number;
}

/** What the voice was trained to sound like, at prosody 1. */
export interface VoiceInference {
  readonly noiseScale: number;
  readonly lengthScale: number;
  /** Noise of the durations. */
  readonly noiseW: number;
}

const DEFAULT_INFERENCE: VoiceInference = {
  noiseScale: 0.667,
  lengthScale: 1,
  noiseW: 0.8,
};
const DEFAULT_HOP_LENGTH = 256;

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a Piper voice's settings (the format of `piper_train.preprocess`).
 * @throws Error that says which field is wrong; the system's error when the file cannot be read.
 */
export function readVoiceConfig(path: string): VoiceConfig {
  return parseVoiceConfig(JSON.parse(readFileSync(path, 'utf8')));
}

/** @throws Error that says which field is wrong. */
export function parseVoiceConfig(value: unknown): VoiceConfig {
  const root = object(value, 'the file');
  const audio = object(root['audio'], 'audio');
  const espeak = object(root['espeak'] ?? {}, 'espeak');
  const language = object(root['language'] ?? {}, 'language');
  const inference = object(root['inference'] ?? {}, 'inference');
  if ((root['phoneme_type'] ?? 'espeak') !== 'espeak') {
    throw new Error(`phoneme_type "${String(root['phoneme_type'])}" is not "espeak"`);
  }
  const espeakVoice = text(espeak['voice'], 'espeak.voice');
  const code = text(language['code'] ?? espeakVoice, 'language.code');
  return {
    sampleRate: positive(audio['sample_rate'], 'audio.sample_rate'),
    espeakVoice,
    language: {
      code,
      name: text(language['name_english'] ?? code, 'language.name_english'),
    },
    speakers: Math.max(1, whole(root['num_speakers'] ?? 1, 'num_speakers')),
    speakerIdMap: mapValues(root['speaker_id_map'] ?? {}, 'speaker_id_map', whole),
    inference: {
      noiseScale: optional(inference['noise_scale'], 'noise_scale', DEFAULT_INFERENCE.noiseScale),
      lengthScale: optional(
        inference['length_scale'],
        'length_scale',
        DEFAULT_INFERENCE.lengthScale,
      ),
      noiseW: optional(inference['noise_w'], 'noise_w', DEFAULT_INFERENCE.noiseW),
    },
    phonemeIds: new Map(
      Object.entries(mapValues(root['phoneme_id_map'], 'phoneme_id_map', listOf(whole))),
    ),
    phonemeMap: new Map(
      Object.entries(mapValues(root['phoneme_map'] ?? {}, 'phoneme_map', listOf(text))),
    ),
    hopLength: positive(root['hop_length'] ?? DEFAULT_HOP_LENGTH, 'hop_length'),
  };
}

function object(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Error(`${name} is not an object`);
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${name} is not a text`);
}

function whole(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new Error(`${name} is not a whole number`);
}

function positive(value: unknown, name: string): number {
  if (whole(value, name) > 0) return value as number;
  throw new Error(`${name} is not above 0`);
}

function optional(value: unknown, name: string, absent: number): number {
  if (value === undefined || value === null) return absent;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`inference.${name} is not a number of at least 0`);
}

function listOf<T>(item: (value: unknown, name: string) => T) {
  return (value: unknown, name: string): readonly T[] => {
    if (!Array.isArray(value)) throw new Error(`${name} is not a list`);
    return value.map((element) => item(element, name));
  };
}

function mapValues<T>(
  value: unknown,
  name: string,
  item: (value: unknown, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(object(value, name)).map(([key, element]) => [
      key,
      item(element, `${name}["${key}"]`),
    ]),
  );
}
