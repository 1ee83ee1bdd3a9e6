import { OUTPUT_FORMATS } from '../../domain/audio.ts';
import type { SpeechRequest } from '../../synthesis/speech/speech-request.ts';
import { parseConnectQuery, text } from './connect-query.ts';
import { CONNECT_QUERY_SCHEMA } from './connect-query-schema.ts';

const {
  model_id,
  apply_text_normalization,
  seed,
  optimize_streaming_latency: latency,
} = CONNECT_QUERY_SCHEMA.properties;

/** Rates that every account may have. */
const RATES = OUTPUT_FORMATS.filter(
  ({ codec, isStreamable, minimumTier }) =>
    codec === 'pcm' && isStreamable && minimumTier === 'free',
).map(({ sampleRate }) => sampleRate);
const LOWEST_RATE = 8000;
/** A voice agent is what jambonz streams for. */
const LATENCY_LEVEL = 3;

/** The query of the jambonz websocket, as a JSON schema. The first three are what jambonz sends. */
export const JAMBONZ_QUERY_SCHEMA = {
  type: 'object',
  properties: {
    voice: {
      type: 'string',
      description:
        "Who speaks, by voice_id: the voice of the jambonz application. Without it, the address's own.",
    },
    language: { type: 'string', description: 'Accepted; each voice speaks its own language.' },
    sampleRate: {
      type: 'integer',
      default: LOWEST_RATE,
      description: `Samples per second of the call. The audio has the highest rate up to it, of ${RATES.join(', ')}; the connect message says which.`,
    },
    optimize_streaming_latency: { ...latency, default: LATENCY_LEVEL },
    model_id,
    seed,
    apply_text_normalization,
  },
} as const;

type RawQuery = Readonly<Record<string, unknown>>;

/** The voice that the application asks for, if it does. */
export function jambonzVoice(query: RawQuery): string | undefined {
  return text(query, 'voice');
}

/** @throws SpeechError that names the parameter at fault and the values it may have. */
export function jambonzRequest(query: RawQuery): SpeechRequest {
  const asked = Number(text(query, 'sampleRate') ?? LOWEST_RATE);
  const rate = RATES.findLast((each) => each <= asked) ?? LOWEST_RATE;
  return parseConnectQuery({
    optimize_streaming_latency: String(LATENCY_LEVEL),
    ...query,
    output_format: `pcm_${rate}`,
  });
}
