import { Type } from 'typebox';

export const LanguageRecord = Type.Object(
  {
    language_id: Type.String({ description: 'ISO 639-1, such as en.' }),
    name: Type.String({ description: 'In English.' }),
  },
  { title: 'Language' },
);

export const ModelRecord = Type.Object(
  {
    model_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    can_do_text_to_speech: Type.Boolean(),
    can_do_voice_conversion: Type.Boolean(),
    can_be_finetuned: Type.Boolean(),
    can_use_style: Type.Boolean(),
    can_use_speaker_boost: Type.Boolean(),
    serves_pro_voices: Type.Boolean(),
    token_cost_factor: Type.Number(),
    requires_alpha_access: Type.Boolean(),
    max_characters_request_free_user: Type.Integer(),
    max_characters_request_subscribed_user: Type.Integer(),
    maximum_text_length_per_request: Type.Integer({ description: 'Characters.' }),
    languages: Type.Array(LanguageRecord),
    model_rates: Type.Object({
      character_cost_multiplier: Type.Number(),
      cost_discount_multiplier: Type.Number(),
    }),
    concurrency_group: Type.String({
      description: 'Models of one group share a limit of requests at once.',
    }),
  },
  { title: 'Model' },
);

export const ModelList = Type.Array(ModelRecord);
