import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { MODELS, type Model } from '../../domain/model.ts';
import { languageCode, languageName } from './languages.ts';
import { type LanguageRecord, ModelList, type ModelRecord } from './model-schemas.ts';
import type { VoiceListing } from './voices.ts';

/**
 * `GET /v1/models`: a bare list, in which each model speaks what the installed voices speak. Clients look
 * the id up that they are going to send, so ids of other services come behind the models that answer to them.
 */
export function modelsRoutes(app: FastifyInstance, voices: VoiceListing): void {
  const schema = {
    summary: 'List the models',
    tags: ['Models'],
    // Here, and nowhere else, a caller without any key is told so (PROTOCOL §3.2).
    access: { scope: 'models_read', withoutKey: { code: 'workspace_not_found' } } as const,
    errors: ['workspace_not_found'] as const,
    response: { 200: ModelList },
  };
  app.get('/v1/models', { schema }, async () => {
    const codes = new Set(voices.list().map((voice) => languageCode(voice.language)));
    const languages = [...codes]
      .sort()
      .map((code) => ({ language_id: code, name: languageName(code) }));
    const aliases = MODELS.flatMap((model) =>
      model.aliases.map((modelId) => ({ ...model, modelId, name: `${model.name} (${modelId})` })),
    );
    return [...MODELS, ...aliases].map((model) => modelRecord(model, languages));
  });
}

/** A model as clients read it (PROTOCOL §3.4). Nothing is rationed by plan here, so both limits agree. */
function modelRecord(
  model: Model,
  languages: Static<typeof LanguageRecord>[],
): Static<typeof ModelRecord> {
  return {
    model_id: model.modelId,
    name: model.name,
    description: model.description,
    can_do_text_to_speech: true,
    can_do_voice_conversion: false,
    can_be_finetuned: false,
    can_use_style: true,
    can_use_speaker_boost: false,
    serves_pro_voices: false,
    token_cost_factor: 1,
    requires_alpha_access: false,
    max_characters_request_free_user: model.maxTextLength,
    max_characters_request_subscribed_user: model.maxTextLength,
    maximum_text_length_per_request: model.maxTextLength,
    languages,
    model_rates: { character_cost_multiplier: 1, cost_discount_multiplier: 1 },
    concurrency_group: model.concurrencyGroup,
  };
}
