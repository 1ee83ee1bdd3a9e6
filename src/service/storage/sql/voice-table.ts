import type { Insertable, Kysely, Selectable } from 'kysely';
import type { AccountVoice } from '../../../domain/account-voice.ts';
import type { VoiceSettings } from '../../../domain/voice.ts';
import type {
  VoiceAddition,
  VoiceAlteration,
  VoiceChange,
  VoiceLimits,
  VoiceStore,
} from '../voice-store.ts';
import { accountTransaction } from './account-transaction.ts';
import type { Schema } from './schema.ts';
import { addSamples, fits, samplesOf, toSample } from './voice-sample-rows.ts';

/** Voices of accounts in tables of an SQL database. */
export class VoiceTable implements VoiceStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(voice: AccountVoice, limits: VoiceLimits): Promise<VoiceAddition> {
    const { accountId, samples } = voice;
    return accountTransaction(this.#database, 'voice', accountId, async (database) => {
      if (await hasVoice(database, voice)) return 'known';
      if ((await countVoices(database, accountId)) >= limits.voices) return 'too-many-voices';
      if (!(await fits(database, accountId, samples, limits))) return 'too-many-bytes';
      await database.insertInto('voice').values(voiceRow(voice)).execute();
      await addSamples(database, voice, samples, 0);
      return 'added';
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

  count(accountId: string): Promise<number> {
    return countVoices(this.#database, accountId);
  }

  async change(
    accountId: string,
    voiceId: string,
    change: VoiceChange,
    limits: VoiceLimits,
  ): Promise<VoiceAlteration> {
    const { name, description, labels, addedSamples = [] } = change;
    return accountTransaction(this.#database, 'voice', accountId, async (database) => {
      if (!(await hasVoice(database, { accountId, voiceId }))) return 'unknown';
      const { stored, last } = await samplesOf(database, accountId, voiceId);
      if (stored + addedSamples.length > limits.samples) return 'too-many-samples';
      if (!(await fits(database, accountId, addedSamples, limits))) return 'too-many-bytes';
      await database
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
        .execute();
      await addSamples(database, { accountId, voiceId }, addedSamples, (last ?? -1) + 1);
      return 'changed';
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

async function hasVoice(
  database: Kysely<Schema>,
  { accountId, voiceId }: Pick<AccountVoice, 'accountId' | 'voiceId'>,
): Promise<boolean> {
  const row = await database
    .selectFrom('voice')
    .select('voice_id')
    .where('account_id', '=', accountId)
    .where('voice_id', '=', voiceId)
    .executeTakeFirst();
  return row !== undefined;
}

async function countVoices(database: Kysely<Schema>, accountId: string): Promise<number> {
  const { voices } = await database
    .selectFrom('voice')
    .select(({ fn }) => fn.countAll<number>().as('voices'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return voices;
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

function toSettings(row: Selectable<Schema['voice_settings']>): VoiceSettings {
  return {
    stability: row.stability,
    similarityBoost: row.similarity_boost,
    style: row.style,
    useSpeakerBoost: row.use_speaker_boost === 1,
    speed: row.speed,
  };
}
