import type { Kysely, Selectable } from 'kysely';
import type { ServiceEventType } from '../../../domain/service-event.ts';
import type { Delivery, DeliveryState } from '../../../domain/webhook.ts';
import type {
  Claim,
  ClaimedDelivery,
  DeliveryPosition,
  OutboxStore,
  Settlement,
} from '../outbox-store.ts';
import type { Schema } from './schema.ts';

type Row = Schema['webhook_delivery'];

/**
 * The outbox in a table of an SQL database. A claim postpones a delivery until its lease ends, in
 * one conditional update; nothing is ever locked while a receiver takes its time.
 */
export class OutboxTable implements OutboxStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async add(deliveries: readonly Delivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.#database.insertInto('webhook_delivery').values(deliveries.map(toRow)).execute();
  }

  async claim(claim: Claim): Promise<readonly ClaimedDelivery[]> {
    const { nowMs, leaseUntilMs, leaseId } = claim;
    const rows = await this.#database
      .updateTable('webhook_delivery')
      .set({ due_at_ms: leaseUntilMs, lease_id: leaseId })
      .where('delivery_id', 'in', this.#longestDueOfEachWebhook(claim))
      // Asked again of the row itself: another process may have claimed it in between.
      .where('state', '=', 'pending')
      .where('due_at_ms', '<=', nowMs)
      .returningAll()
      .execute();
    return rows.map((row) => ({ ...toDelivery(row), leaseId }));
  }

  #longestDueOfEachWebhook({ nowMs, limit, failing, exceptWebhookIds }: Claim) {
    return this.#database
      .selectFrom('webhook')
      .innerJoin('webhook_delivery as next', (join) =>
        join.on(({ eb, selectFrom }) =>
          eb(
            'next.delivery_id',
            '=',
            selectFrom('webhook_delivery as due')
              .select('due.delivery_id')
              .whereRef('due.webhook_id', '=', 'webhook.webhook_id')
              .where('due.state', '=', 'pending')
              .where('due.due_at_ms', '<=', nowMs)
              .orderBy('due.due_at_ms')
              .limit(1),
          ),
        ),
      )
      .where('webhook.is_disabled', '=', 0)
      .where('webhook.is_auto_disabled', '=', 0)
      .where('webhook.consecutive_failures', failing ? '>' : '=', 0)
      .$if(exceptWebhookIds.length > 0, (query) =>
        query.where('webhook.webhook_id', 'not in', exceptWebhookIds),
      )
      .select('next.delivery_id')
      .orderBy('next.due_at_ms')
      .limit(limit);
  }

  async settle({ deliveryId, leaseId }: ClaimedDelivery, settled: Settlement): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('webhook_delivery')
      .set({
        state: settled.state,
        attempts: settled.attempts,
        due_at_ms: settled.dueAtMs,
        lease_id: null,
        last_attempt_at_ms: settled.lastAttemptAtMs,
        last_status: settled.lastStatus,
        last_problem: settled.lastProblem,
      })
      .where('delivery_id', '=', deliveryId)
      .where('lease_id', '=', leaseId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async redeliver(webhookId: string, deliveryId: string, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('webhook_delivery')
      .set({ state: 'pending', attempts: 0, due_at_ms: nowMs, lease_id: null })
      .where('webhook_id', '=', webhookId)
      .where('delivery_id', '=', deliveryId)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async list(
    webhookId: string,
    { limit, after }: { readonly limit: number; readonly after: DeliveryPosition | undefined },
  ): Promise<readonly Delivery[]> {
    let query = this.#database
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('webhook_id', '=', webhookId);
    if (after) {
      const { createdAtMs, deliveryId } = after;
      query = query.where(({ eb, and, or }) =>
        or([
          eb('created_at_ms', '<', createdAtMs),
          and([eb('created_at_ms', '=', createdAtMs), eb('delivery_id', '<', deliveryId)]),
        ]),
      );
    }
    const rows = await query
      .orderBy('created_at_ms', 'desc')
      .orderBy('delivery_id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toDelivery);
  }

  async prune(createdBeforeMs: number, limit: number): Promise<void> {
    await this.#database
      .deleteFrom('webhook_delivery')
      .where('delivery_id', 'in', ({ selectFrom }) =>
        selectFrom('webhook_delivery')
          .select('delivery_id')
          .where('created_at_ms', '<', createdBeforeMs)
          .limit(limit),
      )
      .execute();
  }
}

function toRow(delivery: Delivery): Row {
  return {
    delivery_id: delivery.deliveryId,
    event_id: delivery.eventId,
    webhook_id: delivery.webhookId,
    account_id: delivery.accountId,
    type: delivery.type,
    body: delivery.body,
    created_at_ms: delivery.createdAtMs,
    state: delivery.state,
    attempts: delivery.attempts,
    due_at_ms: delivery.dueAtMs,
    lease_id: null,
    last_attempt_at_ms: delivery.lastAttemptAtMs,
    last_status: delivery.lastStatus,
    last_problem: delivery.lastProblem,
  };
}

function toDelivery(row: Selectable<Row>): Delivery {
  return {
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    webhookId: row.webhook_id,
    accountId: row.account_id,
    type: row.type as ServiceEventType,
    body: row.body,
    createdAtMs: row.created_at_ms,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    dueAtMs: row.due_at_ms,
    lastAttemptAtMs: row.last_attempt_at_ms,
    lastStatus: row.last_status,
    lastProblem: row.last_problem,
  };
}
