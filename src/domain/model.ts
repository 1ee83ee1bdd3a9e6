import { SpeechError } from './errors.ts';

/** What a caller names in `model_id`: a promise about quality and speed, not a file. */
export interface Model {
  readonly modelId: string;
  readonly name: string;
  readonly description: string;
  /** The most characters that one request may speak. */
  readonly maxTextLength: number;
  /** Requests of one group share a concurrency limit. */
  readonly concurrencyGroup: 'standard' | 'turbo';
  /** Ids of other services that clients are hard-wired to send, and that this model answers to. */
  readonly aliases: readonly string[];
  /** Whether `[laughs]` and the like in a text are directions, and not words; not unless given. */
  readonly hasAudioTags?: boolean;
}

const DEFAULT_MODEL: Model = {
  modelId: 'svc_monolingual_v1',
  name: 'Monolingual v1',
  description: 'The default. Every voice speaks its own language.',
  maxTextLength: 10_000,
  concurrencyGroup: 'standard',
  aliases: ['eleven_monolingual_v1'],
};

/** What dialogues are spoken with, unless their client names another. */
export const EXPRESSIVE_MODEL_ID = 'svc_expressive_v1';

/** Those that speak text. */
export const MODELS: readonly Model[] = [
  DEFAULT_MODEL,
  {
    modelId: 'svc_multilingual_v1',
    name: 'Multilingual v1',
    description: 'For text in any language that an installed voice speaks.',
    maxTextLength: 10_000,
    concurrencyGroup: 'standard',
    aliases: ['eleven_multilingual_v1', 'eleven_multilingual_v2', 'tts-1-hd'],
  },
  {
    modelId: 'svc_turbo_v1',
    name: 'Turbo v1',
    description: 'For conversations, where the first word counts most.',
    maxTextLength: 40_000,
    concurrencyGroup: 'turbo',
    aliases: [
      'eleven_turbo_v2',
      'eleven_turbo_v2_5',
      'eleven_flash_v2',
      'eleven_flash_v2_5',
      'tts-1',
      'gpt-4o-mini-tts',
      'sonic',
      'sonic-2',
      'sonic-3',
      'sonic-3.5',
      'sonic-latest',
      'sonic-turbo',
      'sonic-english',
      'sonic-multilingual',
      'sonic-preview',
      'sonic-lite',
    ],
  },
  {
    modelId: EXPRESSIVE_MODEL_ID,
    name: 'Expressive v1',
    description: 'For texts and dialogues with audio tags such as [pause].',
    maxTextLength: 10_000,
    concurrencyGroup: 'standard',
    aliases: ['eleven_v3', 'eleven_v3_conversational', 'eleven_v4', 'eleven_v4_turbo'],
    hasAudioTags: true,
  },
];

/** Ids of models that turn recordings into speech of another voice. */
const SPEECH_TO_SPEECH_IDS: ReadonlySet<string> = new Set([
  'svc_speech_to_speech_v1',
  'eleven_english_sts_v2',
  'eleven_multilingual_sts_v2',
]);

/** Some Python clients send the name of their "nothing given" marker as the id (PROTOCOL §1). */
const NOT_GIVEN: ReadonlySet<string | undefined> = new Set([undefined, '', 'Ellipsis']);

/**
 * The model that a `model_id` means for text to be spoken; the default when a client gave none.
 * @throws SpeechError `unsupported_model` that lists the ids there are.
 */
export function resolveModel(id: string | undefined): Model {
  if (NOT_GIVEN.has(id)) return DEFAULT_MODEL;
  const model = MODELS.find((candidate) => idsOf(candidate).includes(id ?? ''));
  if (model) return model;
  const problem = SPEECH_TO_SPEECH_IDS.has(id ?? '')
    ? `The model "${id}" is for recordings, which this version does not take.`
    : `There is no model "${id}".`;
  throw new SpeechError(
    'unsupported_model',
    `${problem} Name none, or one of: ${MODELS.flatMap(idsOf).join(', ')}.`,
    { param: 'model_id' },
  );
}

function idsOf({ modelId, aliases }: Model): readonly string[] {
  return [modelId, ...aliases];
}
