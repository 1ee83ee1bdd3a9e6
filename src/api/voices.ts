import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { MODELS } from '../domain/model.ts';
import { DEFAULT_VOICE_SETTINGS, type Voice } from '../domain/voice.ts';
import { languageCode } from './languages.ts';

/** The installed voices. */
export interface VoiceListing {
  /** Those that a plain listing shows. */
  list(): readonly Voice[];
  /**
   * Any voice there is, listed or not.
   * @throws SpeechError `voice_id_does_not_exist`.
   */
  find(voiceId: string): Voice;
}

const VoiceParams = Type.Object({ voice_id: Type.String() });

/**
 * Voices are pre-made and the same for everybody, so both routes answer without a key: the original
 * lists the pre-made voices to callers that have none. Clients that ask for legacy voices as well
 * (`show_legacy`) get the same list, since none is.
 */
export function voicesRoutes(app: FastifyInstance, voices: VoiceListing): void {
  app.get('/v1/voices', async () => ({ voices: voices.list().map(voiceRecord) }));
  app
    .withTypeProvider<TypeBoxTypeProvider>()
    .get('/v1/voices/:voice_id', { schema: { params: VoiceParams } }, async ({ params }) =>
      voiceRecord(voices.find(params.voice_id)),
    );
}

/**
 * A voice as clients read it (PROTOCOL §3.3). Strict clients fail on a missing key, hence the nulls;
 * licence and attribution are ours, and ignored by clients that do not know them.
 */
function voiceRecord(voice: Voice): object {
  const language = languageCode(voice.language);
  const modelIds = MODELS.map((model) => model.modelId);
  return {
    voice_id: voice.voiceId,
    name: voice.name,
    category: 'premade',
    description: voice.description,
    labels: {
      language,
      locale: voice.language,
      ...(voice.gender && { gender: voice.gender }),
      ...(voice.description && { description: voice.description }),
    },
    licence: voice.licence,
    attribution: voice.attribution,
    settings: VOICE_SETTINGS,
    preview_url: null,
    samples: null,
    fine_tuning: null,
    sharing: null,
    safety_control: null,
    voice_verification: null,
    permission_on_resource: null,
    created_at_unix: null,
    is_owner: false,
    is_legacy: false,
    is_mixed: false,
    available_for_tiers: [],
    high_quality_base_model_ids: modelIds,
    verified_languages: modelIds.map((model_id) => ({
      model_id,
      language,
      locale: voice.language,
      accent: null,
      preview_url: null,
    })),
  };
}

const VOICE_SETTINGS = {
  stability: DEFAULT_VOICE_SETTINGS.stability,
  similarity_boost: DEFAULT_VOICE_SETTINGS.similarityBoost,
  style: DEFAULT_VOICE_SETTINGS.style,
  use_speaker_boost: DEFAULT_VOICE_SETTINGS.useSpeakerBoost,
  speed: DEFAULT_VOICE_SETTINGS.speed,
};
