import type { Kysely, Selectable, Updateable } from 'kysely';
import type { ServiceEventType } from '../../../domain/service-event.ts';
import type { Webhook, WebhookChange } from '../../../domain/webhook.ts';
import { StorageError } from '../storage.ts';
import type { WebhookHealth, WebhookStore } from '../webhook-store.ts';
import { accountTransaction } from './account-transaction.ts';
import type { Schema } from './schema.ts';

type Row = Schema['webhook'];

/** How old the noted success may grow before another one is worth a write. */
const SUCCESS_GRANULARITY_MS = 3_600_000;

/** Webhooks in a table of an SQL database. */
export class WebhookTable implements WebhookStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(webhook: Webhook, maximum: number): Promise<boolean> {
    return accountTransaction(this.#database, 'webhook', webhook.accountId, async (database) => {
      const { stored } = await database
        .selectFrom('webhook')
        .select(({ fn }) => fn.countAll<number>().as('stored'))
        .where('account_id', '=', webhook.accountId)
        .executeTakeFirstOrThrow();
      if (stored >= maximum) return false;
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('webhook')
        .values(toRow(webhook))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 1n) return true;
      throw new StorageError(`The webhook ${webhook.webhookId} is stored already.`);
    });
  }

  async list(accountId: string): Promise<readonly Webhook[]> {
    const rows = await this.#database
      .selectFrom('webhook')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms')
      .orderBy('webhook_id')
      .execute();
    return rows.map(toWebhook);
  }

  async find(accountId: string, webhookId: string): Promise<Webhook | undefined> {
    const row = await this.#database
      .selectFrom('webhook')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .executeTakeFirst();
    return row && toWebhook(row);
  }

  async change(accountId: string, webhookId: string, change: WebhookChange): Promise<boolean> {
    const columns = toChangedColumns(change);
    // An update that sets nothing is no SQL; whether there is such a webhook is still to be told.
    if (Object.keys(columns).length === 0)
      return (await this.find(accountId, webhookId)) !== undefined;
    const { numUpdatedRows } = await this.#database
      .updateTable('webhook')
      .set(columns)
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async remove(accountId: string, webhookId: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('webhook')
        .where('account_id', '=', accountId)
        .where('webhook_id', '=', webhookId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await transaction
        .deleteFrom('webhook_delivery')
        .where('webhook_id', '=', webhookId)
        .execute();
      return true;
    });
  }

  async recordSuccess(webhookId: string, atMs: number): Promise<void> {
    await this.#database
      .updateTable('webhook')
      .set({ consecutive_failures: 0, last_success_at_ms: atMs })
      .where('webhook_id', '=', webhookId)
      .where(({ eb, or }) =>
        or([
          eb('consecutive_failures', '>', 0),
          eb('last_success_at_ms', 'is', null),
          eb('last_success_at_ms', '<', atMs - SUCCESS_GRANULARITY_MS),
        ]),
      )
      .execute();
  }

  async recordFailure(
    webhookId: string,
    { atMs, status }: { readonly atMs: number; readonly status: number | null },
  ): Promise<WebhookHealth | undefined> {
    const row = await this.#database
      .updateTable('webhook')
      .set(({ eb }) => ({
        consecutive_failures: eb('consecutive_failures', '+', 1),
        last_failure_at_ms: atMs,
        last_failure_status: status,
      }))
      .where('webhook_id', '=', webhookId)
      .returning(['consecutive_failures', 'last_success_at_ms', 'enabled_at_ms'])
      .executeTakeFirst();
    return (
      row && {
        consecutiveFailures: row.consecutive_failures,
        lastSuccessAtMs: row.last_success_at_ms,
        enabledAtMs: row.enabled_at_ms,
      }
    );
  }

  async autoDisable(webhookId: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('webhook')
      .set({ is_auto_disabled: 1 })
      .where('webhook_id', '=', webhookId)
      .where('is_auto_disabled', '=', 0)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

function toRow(webhook: Webhook): Row {
  return {
    webhook_id: webhook.webhookId,
    account_id: webhook.accountId,
    name: webhook.name,
    url: webhook.url,
    sealed_secret: webhook.sealedSecret,
    sealed_headers: webhook.sealedHeaders,
    events: JSON.stringify(webhook.events),
    is_disabled: Number(webhook.isDisabled),
    is_auto_disabled: Number(webhook.isAutoDisabled),
    retry_enabled: Number(webhook.retryEnabled),
    created_at_ms: webhook.createdAtMs,
    enabled_at_ms: webhook.enabledAtMs,
    consecutive_failures: webhook.consecutiveFailures,
    last_success_at_ms: webhook.lastSuccessAtMs,
    last_failure_at_ms: webhook.lastFailureAtMs,
    last_failure_status: webhook.lastFailureStatus,
  };
}

function toWebhook(row: Selectable<Row>): Webhook {
  return {
    webhookId: row.webhook_id,
    accountId: row.account_id,
    name: row.name,
    url: row.url,
    sealedSecret: row.sealed_secret,
    sealedHeaders: row.sealed_headers,
    events: JSON.parse(row.events) as ServiceEventType[],
    isDisabled: row.is_disabled === 1,
    isAutoDisabled: row.is_auto_disabled === 1,
    retryEnabled: row.retry_enabled === 1,
    createdAtMs: row.created_at_ms,
    enabledAtMs: row.enabled_at_ms,
    consecutiveFailures: row.consecutive_failures,
    lastSuccessAtMs: row.last_success_at_ms,
    lastFailureAtMs: row.last_failure_at_ms,
    lastFailureStatus: row.last_failure_status,
  };
}

function toChangedColumns(change: WebhookChange): Updateable<Row> {
  const { name, sealedHeaders, events, isDisabled, isAutoDisabled, retryEnabled } = change;
  const { enabledAtMs, consecutiveFailures } = change;
  return {
    ...(name !== undefined && { name }),
    ...(sealedHeaders !== undefined && { sealed_headers: sealedHeaders }),
    ...(events !== undefined && { events: JSON.stringify(events) }),
    ...(isDisabled !== undefined && { is_disabled: Number(isDisabled) }),
    ...(isAutoDisabled !== undefined && { is_auto_disabled: Number(isAutoDisabled) }),
    ...(retryEnabled !== undefined && { retry_enabled: Number(retryEnabled) }),
    ...(enabledAtMs !== undefined && { enabled_at_ms: enabledAtMs }),
    ...(consecutiveFailures !== undefined && { consecutive_failures: consecutiveFailures }),
  };
}
