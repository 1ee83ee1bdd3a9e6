import { OUTPUT_FORMATS } from '../../domain/audio.ts';
import { MODELS, resolveModel } from '../../domain/model.ts';

/** Longer timeouts count as this one: some clients send 300 by default. */
export const MAX_INACTIVITY_S = 180;

const ACCEPTED = 'Accepted for compatibility; has no effect here.';

/**
 * The query of stream-input and multi-stream-input, as a JSON schema: its defaults and ranges are those that the parser
 * holds clients to. Parameters that are not listed are ignored.
 */
export const CONNECT_QUERY_SCHEMA = {
  type: 'object',
  properties: {
    output_format: {
      type: 'string',
      enum: OUTPUT_FORMATS.filter(({ isStreamable }) => isStreamable).map(({ name }) => name),
      default: 'ulaw_8000',
      description:
        'Encoding, samples per second and kilobits per second of the audio. pcm is 16-bit little-endian mono; mp3 comes in whole frames, opus as Ogg.',
    },
    optimize_streaming_latency: {
      type: 'integer',
      minimum: 0,
      maximum: 4,
      default: 0,
      description:
        'How early speech starts: 0 after a whole sentence, 3 after two or three words, 1 and 2 in between; 4 is 3 without the text normaliser.',
    },
    auto_mode: {
      type: 'boolean',
      default: false,
      description:
        'Speak each text frame when it arrives, up to its last whole word, without waiting for a sentence or for the schedule.',
    },
    sync_alignment: {
      type: 'boolean',
      default: false,
      description:
        'Every frame carries the times of its own audio, counted from the start of the context. Otherwise the first frame of each spoken piece of text carries all its times, counted from the piece.',
    },
    model_id: {
      type: 'string',
      enum: MODELS.flatMap(({ modelId, aliases }) => [modelId, ...aliases]),
      default: resolveModel(undefined).modelId,
      description:
        'See GET /v1/models. Ids that public clients are known to send are accepted; any other is refused before the upgrade, with HTTP 400.',
    },
    inactivity_timeout: {
      type: 'integer',
      minimum: 1,
      default: 20,
      description:
        'At most 180, and more counts as 180. Seconds without a message, and with nothing left to speak, after which the connection is closed. On multi-stream-input also those of each context: one that hears nothing for so long is closed as by close_context, and only it.',
    },
    seed: {
      type: 'integer',
      minimum: 0,
      maximum: 2 ** 32 - 1,
      description:
        'The same seed, text and settings give the same bytes. Without one, readings vary a little.',
    },
    apply_text_normalization: {
      type: 'string',
      enum: ['auto', 'on', 'off'],
      default: 'auto',
      description:
        'Whether numbers, dates, money and the like are written out before they are spoken; auto is on, and off at optimize_streaming_latency 4.',
    },
    authorization: {
      type: 'string',
      description: 'The API key, with or without "Bearer " before it.',
    },
    'xi-api-key': { type: 'string', description: 'The API key.' },
    xi_api_key: { type: 'string', description: 'Another spelling of xi-api-key.' },
    single_use_token: {
      type: 'string',
      description:
        'In place of a key, for browsers: a token of POST /v1/single-use-token/tts_websocket. It opens one connection, within fifteen minutes.',
    },
    language_code: { type: 'string', description: ACCEPTED },
    apply_language_text_normalization: { type: 'boolean', description: ACCEPTED },
    enable_logging: { type: 'boolean', description: ACCEPTED },
    enable_ssml_parsing: {
      type: 'boolean',
      default: false,
      description:
        'Whether all text is SSML, and not only what stands in <speak>. <break> works without it, and no tag is read aloud.',
    },
  },
} as const;
