import type { Kysely } from 'kysely';
import type { BlobStore } from '../blob-store.ts';
import type { Storage } from '../storage.ts';
import { AccountTable } from './account-table.ts';
import { DictionaryTable } from './dictionary-table.ts';
import { HistoryTable } from './history-table.ts';
import { KeyTable } from './key-table.ts';
import { OutboxTable } from './outbox-table.ts';
import type { Schema } from './schema.ts';
import { TokenTable } from './token-table.ts';
import { UsageTable } from './usage-table.ts';
import { VoiceTable } from './voice-table.ts';
import { WebhookTable } from './webhook-table.ts';

/** The stores that are tables of an SQL database, whichever it is. */
export type SqlStores = Omit<Storage, 'blobs' | 'close' | typeof Symbol.asyncDispose>;

/** @param database up to date. */
export function openSqlStores(database: Kysely<Schema>): SqlStores {
  return {
    keys: new KeyTable(database),
    accounts: new AccountTable(database),
    usage: new UsageTable(database),
    tokens: new TokenTable(database),
    webhooks: new WebhookTable(database),
    outbox: new OutboxTable(database),
    voices: new VoiceTable(database),
    dictionaries: new DictionaryTable(database),
    history: new HistoryTable(database),
  };
}

/**
 * State in the tables of an SQL database, and files beside it.
 *
 * @param closeDatabase called once.
 */
export function storageOf(
  stores: SqlStores,
  blobs: BlobStore,
  closeDatabase: () => Promise<void>,
): Storage {
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeDatabase();
    return closing;
  };
  return { ...stores, blobs, close, [Symbol.asyncDispose]: close };
}
