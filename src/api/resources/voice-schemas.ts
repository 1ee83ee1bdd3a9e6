import { Type } from 'typebox';
import { nullable, UnixSeconds, Unused } from '../http/reply-schemas.ts';
import { VoiceSettingsRecord } from '../wire/voice-settings.ts';

export const VerifiedLanguage = Type.Object(
  {
    language: nullable(Type.String({ description: 'Such as en.' })),
    locale: nullable(Type.String({ description: 'Such as en-US.' })),
    model_id: Type.String(),
    accent: Unused(),
    preview_url: Unused(),
  },
  { title: 'VerifiedLanguage' },
);

export const SampleRecord = Type.Object(
  {
    sample_id: Type.String(),
    file_name: Type.String({ description: 'As it was uploaded.' }),
    mime_type: Type.String(),
    size_bytes: Type.Integer(),
    hash: Type.String({ description: 'SHA-256, in hexadecimal digits.' }),
    duration_secs: Type.Number(),
    remove_background_noise: Type.Boolean(),
    has_isolated_audio: Type.Boolean(),
    has_isolated_audio_preview: Type.Boolean(),
    sample_rate: Type.Integer(),
    level_dbfs: Type.Number({ description: 'How loud it is, in dB of full scale.' }),
  },
  { title: 'VoiceSample' },
);

export const VoiceRecord = Type.Object(
  {
    voice_id: Type.String({ description: 'What requests name.' }),
    name: Type.String(),
    category: Type.String({
      description: 'premade: installed and listed; professional: of the library; cloned: your own.',
    }),
    description: nullable(Type.String()),
    labels: Type.Record(Type.String(), Type.String()),
    licence: nullable(Type.String()),
    attribution: nullable(Type.String()),
    alias_of: nullable(
      Type.String({
        description: 'Its own id, where it was asked for under another that it answers to.',
      }),
    ),
    aliases: Type.Array(Type.String(), {
      description: 'Well-known ids that it answers to as well.',
    }),
    availability: nullable(
      Type.String({
        description:
          'ready; arriving, while its files are fetched and loaded; absent, when they cannot be had.',
      }),
    ),
    settings: VoiceSettingsRecord,
    preview_url: Unused(),
    samples: nullable(Type.Array(SampleRecord)),
    fine_tuning: Unused(),
    sharing: Unused(),
    safety_control: Unused(),
    voice_verification: Unused(),
    permission_on_resource: nullable(Type.String()),
    created_at_unix: nullable(UnixSeconds('When you added it.')),
    is_owner: Type.Boolean(),
    is_legacy: Type.Boolean(),
    is_mixed: Type.Boolean(),
    available_for_tiers: Type.Array(Type.String()),
    high_quality_base_model_ids: Type.Array(Type.String(), {
      description: 'Models that it speaks with; none while it is only recordings.',
    }),
    verified_languages: nullable(Type.Array(VerifiedLanguage)),
  },
  { title: 'Voice' },
);

export const VoiceList = Type.Object({ voices: Type.Array(VoiceRecord) }, { title: 'VoiceList' });

export const VoicesPageRecord = Type.Object(
  {
    voices: Type.Array(VoiceRecord),
    has_more: Type.Boolean(),
    total_count: Type.Integer(),
    next_page_token: nullable(Type.String()),
  },
  { title: 'VoicesPage' },
);

export const NewVoiceRecord = Type.Object(
  { voice_id: Type.String(), requires_verification: Type.Boolean() },
  { title: 'NewVoice' },
);

export const AdoptedVoiceRecord = Type.Object(
  { voice_id: Type.String() },
  { title: 'AdoptedVoice' },
);

export const LibraryVoiceRecord = Type.Object(
  {
    public_owner_id: Type.String({ description: 'Goes before voice_id where a voice is adopted.' }),
    voice_id: Type.String(),
    date_unix: Type.Integer(),
    name: Type.String(),
    accent: Type.String(),
    gender: Type.String(),
    age: Type.String(),
    descriptive: Type.String(),
    use_case: Type.String(),
    category: Type.String(),
    language: Type.String(),
    locale: Type.String(),
    description: nullable(Type.String()),
    licence: Type.String(),
    attribution: Type.String(),
    preview_url: Unused(),
    usage_character_count_1y: Type.Integer(),
    usage_character_count_7d: Type.Integer(),
    play_api_usage_character_count_1y: Type.Integer(),
    cloned_by_count: Type.Integer(),
    rate: Type.Number(),
    fiat_rate: Unused(),
    free_users_allowed: Type.Boolean(),
    live_moderation_enabled: Type.Boolean(),
    featured: Type.Boolean(),
    verified_languages: Type.Array(VerifiedLanguage),
    notice_period: Unused(),
    instagram_username: Unused(),
    twitter_username: Unused(),
    youtube_username: Unused(),
    tiktok_username: Unused(),
    image_url: Unused(),
    is_added_by_user: Type.Boolean({ description: 'Whether it is in your list already.' }),
    is_bookmarked: Type.Boolean(),
  },
  { title: 'LibraryVoice' },
);

export const LibraryPageRecord = Type.Object(
  {
    voices: Type.Array(LibraryVoiceRecord),
    has_more: Type.Boolean(),
    total_count: Type.Integer(),
    last_sort_id: nullable(Type.String()),
  },
  { title: 'LibraryPage' },
);
