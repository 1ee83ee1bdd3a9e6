import type { Kysely, Selectable } from 'kysely';
import type { AccountVoice, VoiceSample } from '../../../domain/account-voice.ts';
import type { VoiceLimits } from '../voice-store.ts';
import type { Schema } from './schema.ts';

/** How many recordings a voice has, and the position of the last. */
export function samplesOf(database: Kysely<Schema>, accountId: string, voiceId: string) {
  return database
    .selectFrom('voice_sample')
    .select(({ fn }) => [fn.countAll<number>().as('stored'), fn.max('position').as('last')])
    .where('account_id', '=', accountId)
    .where('voice_id', '=', voiceId)
    .executeTakeFirstOrThrow();
}

/** Whether an account may keep so many recordings more. One without more always fits. */
export async function fits(
  database: Kysely<Schema>,
  accountId: string,
  added: readonly VoiceSample[],
  { sampleBytes }: VoiceLimits,
): Promise<boolean> {
  if (added.length === 0) return true;
  const { stored } = await database
    .selectFrom('voice_sample')
    .select(({ fn }) => fn.sum<number | null>('size_bytes').as('stored'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const addedBytes = added.reduce((bytes, sample) => bytes + sample.sizeBytes, 0);
  return (stored ?? 0) + addedBytes <= sampleBytes;
}

export async function addSamples(
  database: Kysely<Schema>,
  { accountId, voiceId }: Pick<AccountVoice, 'accountId' | 'voiceId'>,
  samples: readonly VoiceSample[],
  firstPosition: number,
): Promise<void> {
  if (samples.length === 0) return;
  const rows = samples.map((sample, index) => ({
    sample_id: sample.sampleId,
    account_id: accountId,
    voice_id: voiceId,
    position: firstPosition + index,
    file_name: sample.fileName,
    mime_type: sample.mimeType,
    blob_key: sample.blobKey,
    size_bytes: sample.sizeBytes,
    sha256: sample.sha256,
    duration_ms: sample.durationMs,
    sample_rate: sample.sampleRate,
    level_dbfs: sample.levelDbfs,
    remove_background_noise: sample.removeBackgroundNoise ? 1 : 0,
  }));
  await database.insertInto('voice_sample').values(rows).execute();
}

export function toSample(row: Selectable<Schema['voice_sample']>): VoiceSample {
  return {
    sampleId: row.sample_id,
    fileName: row.file_name,
    mimeType: row.mime_type,
    blobKey: row.blob_key,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    durationMs: row.duration_ms,
    sampleRate: row.sample_rate,
    levelDbfs: row.level_dbfs,
    removeBackgroundNoise: row.remove_background_noise === 1,
  };
}
