import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { HistoryAlignments, HistoryItem } from '../../../domain/history-item.ts';
import type { VoiceSettings } from '../../../domain/voice.ts';
import type { HistoryQuery, HistoryStore } from '../history-store.ts';
import { StorageError } from '../storage.ts';
import type { Schema } from './schema.ts';

type Row = Selectable<Schema['history_item']>;

/** Everything but the alignments. */
const LISTED = [
  'history_item_id',
  'account_id',
  'created_at_ms',
  'request_id',
  'voice_id',
  'voice_name',
  'voice_category',
  'model_id',
  'source',
  'content_type',
  'output_format',
  'audio_bytes',
  'characters_before',
  'characters_after',
  'settings',
  'text',
] as const satisfies ReadonlyArray<keyof Row>;

/** Kept generations in a table of an SQL database. */
export class HistoryTable implements HistoryStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(item: HistoryItem, nowMs: number): Promise<void> {
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('history_item')
      .values(toRow(item, nowMs))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return;
    throw new StorageError(`The history item ${item.historyItemId} is stored already.`);
  }

  async show(historyItemId: string): Promise<void> {
    await this.#database
      .updateTable('history_item')
      .set({ hidden_at_ms: null })
      .where('history_item_id', '=', historyItemId)
      .execute();
  }

  async find(accountId: string, historyItemId: string): Promise<HistoryItem | undefined> {
    const row = await this.#database
      .selectFrom('history_item')
      .select([...LISTED, 'alignments'])
      .where('account_id', '=', accountId)
      .where('history_item_id', '=', historyItemId)
      .where('hidden_at_ms', 'is', null)
      .executeTakeFirst();
    return row && toItem(row);
  }

  async list(query: HistoryQuery): Promise<readonly HistoryItem[]> {
    const rows = await this.#database
      .selectFrom('history_item')
      .select(LISTED)
      .where((row) => row.and(conditions(query)))
      .orderBy('history_item_id', query.direction === 'newest-first' ? 'desc' : 'asc')
      .limit(query.limit)
      .execute();
    return rows.map((row) => toItem({ ...row, alignments: null }));
  }

  async hide(accountId: string, historyItemId: string, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('history_item')
      .set({ hidden_at_ms: nowMs })
      .where('account_id', '=', accountId)
      .where('history_item_id', '=', historyItemId)
      .where('hidden_at_ms', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async hideCreatedBefore(timeMs: number, nowMs: number): Promise<number> {
    const { numUpdatedRows } = await this.#database
      .updateTable('history_item')
      .set({ hidden_at_ms: nowMs })
      .where('created_at_ms', '<', timeMs)
      .where('hidden_at_ms', 'is', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async hideBeyond(audioBytes: number, nowMs: number): Promise<number> {
    const seen = this.#database.selectFrom('history_item').where('hidden_at_ms', 'is', null);
    const accounts = await seen
      .select('account_id')
      .groupBy('account_id')
      .having(({ fn }) => fn.sum('audio_bytes'), '>', audioBytes)
      .execute();
    let hidden = 0;
    for (const { account_id: accountId } of accounts) {
      const upToHere = sql<number>`sum(audio_bytes) over (order by history_item_id desc)`;
      const newestFirst = seen
        .select(['history_item_id', upToHere.as('bytes')])
        .where('account_id', '=', accountId);
      const { numUpdatedRows } = await this.#database
        .updateTable('history_item')
        .set({ hidden_at_ms: nowMs })
        .where('history_item_id', 'in', (query) =>
          query
            .selectFrom(newestFirst.as('newest_first'))
            .select('history_item_id')
            .where('bytes', '>', audioBytes),
        )
        .executeTakeFirst();
      hidden += Number(numUpdatedRows);
    }
    return hidden;
  }

  async listHidden(beforeMs: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#database
      .selectFrom('history_item')
      .select('history_item_id')
      .where('hidden_at_ms', '<', beforeMs)
      .orderBy('hidden_at_ms')
      .limit(limit)
      .execute();
    return rows.map((row) => row.history_item_id);
  }

  async forget(historyItemId: string): Promise<void> {
    await this.#database
      .deleteFrom('history_item')
      .where('history_item_id', '=', historyItemId)
      .where('hidden_at_ms', 'is not', null)
      .execute();
  }
}

function conditions(query: HistoryQuery): Expression<SqlBool>[] {
  const is = expressionBuilder<Schema, 'history_item'>();
  const behind = query.direction === 'newest-first' ? '<' : '>';
  return [
    is('account_id', '=', query.accountId),
    is('hidden_at_ms', 'is', null),
    ...given(query.startAfter, (id) => is('history_item_id', behind, id)),
    ...given(query.voiceId, (voiceId) => is('voice_id', '=', voiceId)),
    ...given(query.modelId, (modelId) => is('model_id', '=', modelId)),
    ...given(query.source, (source) => is('source', '=', source)),
    ...given(query.createdBeforeMs, (timeMs) => is('created_at_ms', '<', timeMs)),
    ...given(query.createdFromMs, (timeMs) => is('created_at_ms', '>=', timeMs)),
    ...given(query.search, textContains),
  ];
}

function given<T>(
  value: T | undefined,
  condition: (value: T) => Expression<SqlBool>,
): Expression<SqlBool>[] {
  return value === undefined ? [] : [condition(value)];
}

/** The wildcards of LIKE stand for themselves. */
function textContains(search: string): Expression<SqlBool> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`search_text like ${pattern} escape '\\'`;
}

function toRow(item: HistoryItem, hiddenAtMs: number): Row {
  return {
    history_item_id: item.historyItemId,
    account_id: item.accountId,
    hidden_at_ms: hiddenAtMs,
    created_at_ms: item.createdAtMs,
    request_id: item.requestId,
    voice_id: item.voiceId,
    voice_name: item.voiceName,
    voice_category: item.voiceCategory,
    model_id: item.modelId,
    source: item.source,
    content_type: item.contentType,
    output_format: item.outputFormat,
    audio_bytes: item.audioBytes,
    characters_before: item.charactersBefore,
    characters_after: item.charactersAfter,
    settings: JSON.stringify(item.settings),
    text: item.text,
    search_text: item.text.toLowerCase(),
    alignments: item.alignments ? JSON.stringify(item.alignments) : null,
  };
}

function toItem(row: Omit<Row, 'hidden_at_ms' | 'search_text'>): HistoryItem {
  return {
    historyItemId: row.history_item_id,
    accountId: row.account_id,
    requestId: row.request_id,
    voiceId: row.voice_id,
    voiceName: row.voice_name,
    voiceCategory: row.voice_category,
    modelId: row.model_id,
    text: row.text,
    createdAtMs: row.created_at_ms,
    charactersBefore: row.characters_before,
    charactersAfter: row.characters_after,
    contentType: row.content_type,
    outputFormat: row.output_format,
    settings: JSON.parse(row.settings) as VoiceSettings,
    source: row.source,
    alignments:
      row.alignments === null ? undefined : (JSON.parse(row.alignments) as HistoryAlignments),
    audioBytes: row.audio_bytes,
  };
}
