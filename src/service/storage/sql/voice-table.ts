import type { Insertable, Kysely, Selectable } from 'kysely';
import type { AccountVoice, VoiceSample } from '../../../domain/account-voice.ts';
import type { VoiceSettings } from '../../../domain/voice.ts';
import type { VoiceChange, VoiceStore } from '../voice-store.ts';
import type { Schema } from './schema.ts';

/** Voices of accounts in tables of an SQL database. */
export class VoiceTable implements VoiceStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(voice: AccountVoice): Promise<boolean> {
    return this.#database.transaction().execute(async (database) => {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('voice')
        .values(voiceRow(voice))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await addSamples(database, voice, voice.samples, 0);
      return true;
    });
  }

  async find(accountId: string, voiceId: string): Promise<AccountVoice | undefined> {
    const row = await this.#database
      .selectFrom('voice')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('voice_id', '=', voiceId)
      .executeTakeFirst();
    if (!row) return undefined;
    const samples = await this.#samples(accountId).where('voice_id', '=', voiceId).execute();
    return toVoice(row, samples);
  }

  async list(accountId: string): Promise<readonly AccountVoice[]> {
    const rows = await this.#database
      .selectFrom('voice')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms')
      .orderBy('voice_id')
      .execute();
    const isRecorded = rows.some((row) => row.origin === 'recordings');
    const samples = isRecorded ? await this.#samples(accountId).execute() : [];
    const byVoice = new Map(rows.map((row) => [row.voice_id, [] as (typeof samples)[number][]]));
    for (const sample of samples) byVoice.get(sample.voice_id)?.push(sample);
    return rows.map((row) => toVoice(row, byVoice.get(row.voice_id) ?? []));
  }

  async count(accountId: string): Promise<number> {
    const { voices } = await this.#database
      .selectFrom('voice')
      .select(({ fn }) => fn.countAll().as('voices'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return Number(voices);
  }

  async change(accountId: string, voiceId: string, change: VoiceChange): Promise<boolean> {
    const { name, description, labels, addedSamples = [] } = change;
    return this.#database.transaction().execute(async (database) => {
      const { numUpdatedRows } = await database
        .updateTable('voice')
        // Naming the key makes it a valid statement when nothing but samples changes.
        .set({
          voice_id: voiceId,
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description }),
          ...(labels !== undefined && { labels: JSON.stringify(labels) }),
        })
        .where('account_id', '=', accountId)
        .where('voice_id', '=', voiceId)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      if (addedSamples.length === 0) return true;
      const { last } = await database
        .selectFrom('voice_sample')
        .select(({ fn }) => fn.max('position').as('last'))
        .where('account_id', '=', accountId)
        .where('voice_id', '=', voiceId)
        .executeTakeFirstOrThrow();
      await addSamples(database, { accountId, voiceId }, addedSamples, (last ?? -1) + 1);
      return true;
    });
  }

  async remove(accountId: string, voiceId: string): Promise<boolean> {
    return this.#database.transaction().execute(async (database) => {
      const { numDeletedRows } = await database
        .deleteFrom('voice')
        .where('account_id', '=', accountId)
        .where('voice_id', '=', voiceId)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await database
        .deleteFrom('voice_settings')
        .where('account_id', '=', accountId)
        .where('voice_id', '=', voiceId)
        .execute();
      return true;
    });
  }

  async findSettings(accountId: string, voiceId: string): Promise<VoiceSettings | undefined> {
    const row = await this.#database
      .selectFrom('voice_settings')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('voice_id', '=', voiceId)
      .executeTakeFirst();
    return row && toSettings(row);
  }

  async listSettings(accountId: string): Promise<ReadonlyMap<string, VoiceSettings>> {
    const rows = await this.#database
      .selectFrom('voice_settings')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute();
    return new Map(rows.map((row) => [row.voice_id, toSettings(row)]));
  }

  async putSettings(accountId: string, voiceId: string, settings: VoiceSettings): Promise<void> {
    const values = {
      stability: settings.stability,
      similarity_boost: settings.similarityBoost,
      style: settings.style,
      use_speaker_boost: settings.useSpeakerBoost ? 1 : 0,
      speed: settings.speed,
    };
    await this.#database
      .insertInto('voice_settings')
      .values({ account_id: accountId, voice_id: voiceId, ...values })
      .onConflict((conflict) => conflict.columns(['account_id', 'voice_id']).doUpdateSet(values))
      .execute();
  }

  #samples(accountId: string) {
    return this.#database
      .selectFrom('voice_sample')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('position');
  }
}

async function addSamples(
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

function voiceRow(voice: AccountVoice): Insertable<Schema['voice']> {
  return {
    account_id: voice.accountId,
    voice_id: voice.voiceId,
    origin: voice.origin,
    name: voice.name,
    description: voice.description,
    labels: JSON.stringify(voice.labels),
    created_at_ms: voice.createdAtMs,
  };
}

function toVoice(
  row: Selectable<Schema['voice']>,
  samples: readonly Selectable<Schema['voice_sample']>[],
): AccountVoice {
  return {
    accountId: row.account_id,
    voiceId: row.voice_id,
    origin: row.origin,
    name: row.name,
    description: row.description,
    labels: JSON.parse(row.labels),
    createdAtMs: row.created_at_ms,
    samples: samples.map(toSample),
  };
}

function toSample(row: Selectable<Schema['voice_sample']>): VoiceSample {
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

function toSettings(row: Selectable<Schema['voice_settings']>): VoiceSettings {
  return {
    stability: row.stability,
    similarityBoost: row.similarity_boost,
    style: row.style,
    useSpeakerBoost: row.use_speaker_boost === 1,
    speed: row.speed,
  };
}
