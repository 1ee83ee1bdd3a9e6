import type { Tier } from '../../../domain/account.ts';
import type { AccountVoice } from '../../../domain/account-voice.ts';
import type { HistorySource } from '../../../domain/history-item.ts';

/** The tables as queries see them. Migrations make them; the two are kept in step by the contract tests. */
export interface Schema {
  api_key: {
    key_id: string;
    account_id: string;
    name: string;
    secret_hash: string;
    last_four: string;
    created_at_ms: number;
    /** JSON; null is every endpoint. */
    scopes: string | null;
    character_limit: number | null;
    /** JSON; null is from anywhere. */
    allowed_addresses: string | null;
  };
  account: {
    account_id: string;
    name: string;
    tier: Tier;
    /** Null is no limit. */
    character_limit: number | null;
    concurrency_limit: number | null;
    created_at_ms: number;
  };
  character_usage: {
    account_id: string;
    /** Empty in the row that counts for the account as a whole. */
    key_id: string;
    period_start_ms: number;
    characters: number;
    /** The limit that this month was last found to have reached. */
    reached_limit: number | null;
  };
  character_hold: {
    hold_id: string;
    account_id: string;
    key_id: string;
    period_start_ms: number;
    /** Counted in `character_usage`; once expired, only what was delivered is. */
    characters: number;
    delivered: number;
    owner_id: string;
    expires_at_ms: number;
    is_expired: number;
    /** What its characters count for in `hourly_usage`, with the key. */
    hour_start_ms: number;
    model_id: string;
    voice_id: string;
  };
  hourly_usage: {
    account_id: string;
    /** Beginning of an hour; of a day, in rows that have been summed up. */
    from_ms: number;
    key_id: string;
    model_id: string;
    voice_id: string;
    /** Charged, unlike in `character_usage`: nothing that is on hold. */
    characters: number;
  };
  single_use_token: {
    token_hash: string;
    key_hash: string;
    purpose: string;
    expires_at_ms: number;
  };
  history_item: {
    history_item_id: string;
    account_id: string;
    /** Null when the item may be seen. */
    hidden_at_ms: number | null;
    created_at_ms: number;
    request_id: string;
    voice_id: string;
    voice_name: string;
    voice_category: string;
    model_id: string;
    source: HistorySource;
    content_type: string;
    output_format: string;
    audio_bytes: number;
    characters_before: number;
    characters_after: number;
    /** JSON. */
    settings: string;
    text: string;
    /** The text in lower case, as JavaScript makes it: databases disagree beyond ASCII. */
    search_text: string;
    /** JSON. */
    alignments: string | null;
  };
  webhook: {
    webhook_id: string;
    account_id: string;
    name: string;
    url: string;
    sealed_secret: string;
    sealed_headers: string;
    /** JSON: a list of event types. */
    events: string;
    is_disabled: number;
    is_auto_disabled: number;
    retry_enabled: number;
    created_at_ms: number;
    enabled_at_ms: number;
    consecutive_failures: number;
    last_success_at_ms: number | null;
    last_failure_at_ms: number | null;
    last_failure_status: number | null;
  };
  webhook_delivery: {
    delivery_id: string;
    event_id: string;
    webhook_id: string;
    account_id: string;
    type: string;
    body: string;
    created_at_ms: number;
    state: string;
    attempts: number;
    due_at_ms: number;
    /** Of the claim that may settle it. */
    lease_id: string | null;
    last_attempt_at_ms: number | null;
    last_status: number | null;
    last_problem: string | null;
  };
  voice: {
    account_id: string;
    voice_id: string;
    origin: AccountVoice['origin'];
    name: string;
    description: string | null;
    /** JSON. */
    labels: string;
    created_at_ms: number;
  };
  voice_sample: {
    sample_id: string;
    account_id: string;
    voice_id: string;
    /** Among the samples of its voice. */
    position: number;
    file_name: string;
    mime_type: string;
    blob_key: string;
    size_bytes: number;
    sha256: string;
    duration_ms: number;
    sample_rate: number;
    level_dbfs: number;
    remove_background_noise: number;
  };
  voice_settings: {
    account_id: string;
    voice_id: string;
    stability: number;
    similarity_boost: number;
    style: number;
    use_speaker_boost: number;
    speed: number;
  };
  dictionary: {
    dictionary_id: string;
    account_id: string;
    name: string;
    description: string | null;
    created_at_ms: number;
    archived_at_ms: number | null;
    latest_version_id: string;
    latest_rule_count: number;
  };
  dictionary_version: {
    version_id: string;
    dictionary_id: string;
    /** JSON. */
    rules: string;
    /** Of the rules. */
    size_bytes: number;
    created_at_ms: number;
  };
  /** Which migrations this database has had. */
  migration: {
    name: string;
    applied_at_ms: number;
  };
}
