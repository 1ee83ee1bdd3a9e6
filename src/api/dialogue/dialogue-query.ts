import type { SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import { parseConnectQuery, text } from '../stream/connect-query.ts';
import { CONNECT_QUERY_SCHEMA } from '../stream/connect-query-schema.ts';
import { spelledTruth } from '../wire/spelled-values.ts';

const { auto_mode, enable_ssml_parsing, optimize_streaming_latency, ...shared } =
  CONNECT_QUERY_SCHEMA.properties;

/** The query of the websockets of dialogues, as a JSON schema. */
export const DIALOGUE_QUERY_SCHEMA = {
  type: 'object',
  properties: {
    ...shared,
    sync_alignment: {
      type: 'boolean',
      default: true,
      description:
        'Whether audio comes with the times of its characters, which count anew in each message.',
    },
    optimize_streaming_latency: {
      type: optimize_streaming_latency.type,
      minimum: optimize_streaming_latency.minimum,
      maximum: optimize_streaming_latency.maximum,
      description:
        'How early speech starts, as on the other websockets. Without it, after about 40 characters and 8 words, or a shorter sentence.',
    },
    auto_mode,
    enable_ssml_parsing,
  },
} as const;

/** Of the engine's windows, where the client asks for none. */
const LATENCY_LEVEL = 1;

type RawQuery = Readonly<Record<string, unknown>>;

/** @throws SpeechError that names the parameter at fault and the values it may have. */
export function dialogueRequest(query: RawQuery): SpeechRequest {
  const asked = text(query, 'optimize_streaming_latency');
  const level = asked ?? String(LATENCY_LEVEL);
  return {
    ...parseConnectQuery({ ...query, optimize_streaming_latency: level }),
    isDialogue: asked === undefined,
    hasAudioTags: true,
    alignment: 'synchronised',
  };
}

/** What is no truth value is refused with the rest of the query. */
export function wantsAlignment(query: RawQuery): boolean {
  return spelledTruth(text(query, 'sync_alignment') ?? '') ?? true;
}
