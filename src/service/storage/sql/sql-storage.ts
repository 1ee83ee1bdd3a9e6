import type { Kysely } from 'kysely';
import type { AccountStore } from '../account-store.ts';
import type { BlobStore } from '../blob-store.ts';
import type { DictionaryStore } from '../dictionary-store.ts';
import type { HistoryStore } from '../history-store.ts';
import type { OutboxStore } from '../outbox-store.ts';
import type { KeyStore, Storage } from '../storage.ts';
import type { TokenStore } from '../token-store.ts';
import type { UsageStore } from '../usage-store.ts';
import type { VoiceStore } from '../voice-store.ts';
import type { WebhookStore } from '../webhook-store.ts';
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

/** State in the tables of an SQL database, whichever it is, and files beside it. */
export class SqlStorage implements Storage {
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly usage: UsageStore;
  readonly tokens: TokenStore;
  readonly history: HistoryStore;
  readonly blobs: BlobStore;
  readonly webhooks: WebhookStore;
  readonly outbox: OutboxStore;
  readonly voices: VoiceStore;
  readonly dictionaries: DictionaryStore;
  readonly #database: Kysely<Schema>;

  /** @param database up to date, and owned by the storage from now on. */
  constructor(database: Kysely<Schema>, blobs: BlobStore) {
    this.#database = database;
    this.keys = new KeyTable(database);
    this.accounts = new AccountTable(database);
    this.usage = new UsageTable(database);
    this.tokens = new TokenTable(database);
    this.webhooks = new WebhookTable(database);
    this.outbox = new OutboxTable(database);
    this.voices = new VoiceTable(database);
    this.dictionaries = new DictionaryTable(database);
    this.history = new HistoryTable(database);
    this.blobs = blobs;
  }

  async close(): Promise<void> {
    await this.#database.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
