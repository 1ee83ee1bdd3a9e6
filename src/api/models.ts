import type { FastifyInstance } from 'fastify';
import { MODELS, type Model } from '../domain/model.ts';
import { callerOf, type KeyChecker } from './authenticate.ts';
import { languageCode, languageName } from './languages.ts';
import type { VoiceListing } from './voices.ts';

/** `GET /v1/models`: a bare list, in which each model speaks what the installed voices speak. */
export function modelsRoutes(app: FastifyInstance, keys: KeyChecker, voices: VoiceListing): void {
  app.get('/v1/models', async (request) => {
    await callerOf(request, keys);
    const codes = new Set(voices.list().map((voice) => languageCode(voice.language)));
    const languages = [...codes]
      .sort()
      .map((code) => ({ language_id: code, name: languageName(code) }));
    return MODELS.map((model) => modelRecord(model, languages));
  });
}

/** A model as clients read it (PROTOCOL §3.4). Nothing is rationed by plan here, so both limits agree. */
function modelRecord(model: Model, languages: readonly object[]): object {
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
