import type { Static } from 'typebox';
import type { VoiceSample } from '../../domain/account-voice.ts';
import { MODELS } from '../../domain/model.ts';
import type { KnownVoice } from '../../service/voices/known-voice.ts';
import { writeVoiceSettings } from '../wire/voice-settings.ts';
import type { SampleRecord, VoiceRecord } from './voice-schemas.ts';

const MODEL_IDS = MODELS.map(({ modelId }) => modelId);

/**
 * A voice as clients read it (PROTOCOL §3.3). Strict clients fail on a missing key, hence the nulls;
 * licence, attribution, availability and aliases are ours, and ignored by clients that do not know them.
 */
export function voiceRecord(known: KnownVoice): Static<typeof VoiceRecord> {
  const { voice, own, labels } = known;
  const language = labels['language'] ?? null;
  return {
    voice_id: known.voiceId,
    name: known.name,
    category: known.category,
    description: known.description,
    labels,
    licence: voice?.licence ?? null,
    attribution: voice?.attribution ?? null,
    alias_of: voice?.aliasOf ?? null,
    aliases: [...known.aliases],
    availability: voice ? (voice.unavailable ?? 'ready') : null,
    settings: writeVoiceSettings(known.settings),
    preview_url: null,
    samples: own && own.samples.length > 0 ? own.samples.map(sampleRecord) : null,
    fine_tuning: null,
    sharing: null,
    safety_control: null,
    voice_verification: null,
    permission_on_resource: own ? 'admin' : null,
    created_at_unix: own ? Math.floor(own.createdAtMs / 1000) : null,
    is_owner: own?.origin === 'recordings',
    is_legacy: false,
    is_mixed: false,
    available_for_tiers: [],
    high_quality_base_model_ids: voice ? MODEL_IDS : [],
    verified_languages: voice
      ? MODEL_IDS.map((model_id) => ({
          model_id,
          language,
          locale: voice.language,
          accent: null,
          preview_url: null,
        }))
      : null,
  };
}

function sampleRecord(sample: VoiceSample): Static<typeof SampleRecord> {
  return {
    sample_id: sample.sampleId,
    file_name: sample.fileName,
    mime_type: sample.mimeType,
    size_bytes: sample.sizeBytes,
    hash: sample.sha256,
    duration_secs: sample.durationMs / 1000,
    remove_background_noise: sample.removeBackgroundNoise,
    has_isolated_audio: false,
    has_isolated_audio_preview: false,
    sample_rate: sample.sampleRate,
    level_dbfs: Math.round(sample.levelDbfs * 10) / 10,
  };
}
