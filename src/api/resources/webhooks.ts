import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { SERVICE_EVENT_TYPES } from '../../domain/service-event.ts';
import type { Delivery, Webhook } from '../../domain/webhook.ts';
import type { WebhookRegistry } from '../../service/webhooks/webhook-registry.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import {
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryParams,
  type DeliveryRecord,
  EditWebhookBody,
  ListWebhooksQuery,
  NewWebhookBody,
  NewWebhookRecord,
  WebhookListRecord,
  WebhookParams,
  type WebhookRecord,
} from './webhook-schemas.ts';

const PATH = '/v1/workspace/webhooks';
const ONE = `${PATH}/:webhook_id`;
const tags = ['Webhooks'];

/** Webhooks of the caller's account and what was delivered to them. The secret is shown at their making only. */
export function webhooksRoutes(app: FastifyInstance, registry: WebhookRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.post(
    PATH,
    {
      schema: {
        summary: 'Make a webhook',
        access: { scope: 'workspace_write' },
        tags,
        body: NewWebhookBody,
        errors: ['invalid_parameters', 'account_limit_reached'],
        response: { 200: NewWebhookRecord },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller;
      const { settings } = request.body;
      const { webhook, secret } = await registry.create(accountId, {
        name: settings.name,
        url: settings.webhook_url,
        requestHeaders: withoutNulls(settings.request_headers ?? {}),
        events: settings.events ?? SERVICE_EVENT_TYPES,
        retryEnabled: settings.retry_enabled ?? true,
      });
      reply.header('cache-control', 'no-store');
      return { webhook_id: webhook.webhookId, webhook_secret: secret };
    },
  );
  typed.get(
    PATH,
    {
      schema: {
        summary: 'List the webhooks',
        access: { scope: 'workspace_read' },
        tags,
        querystring: ListWebhooksQuery,
        response: { 200: WebhookListRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const withUsage = request.query.include_usages ?? false;
      const webhooks = await registry.list(accountId);
      return { webhooks: webhooks.map((webhook) => webhookRecord(webhook, withUsage)) };
    },
  );
  changingRoutes(app, registry);
  deliveriesRoutes(app, registry);
}

function changingRoutes(app: FastifyInstance, registry: WebhookRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.patch(
    ONE,
    {
      schema: {
        summary: 'Change a webhook, or switch it off or on',
        access: { scope: 'workspace_write' },
        tags,
        params: WebhookParams,
        body: EditWebhookBody,
        errors: ['not_found', 'invalid_parameters'],
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { name, is_disabled, retry_enabled, request_headers, events } = request.body;
      await registry.edit(accountId, request.params.webhook_id, {
        ...(name != null && { name }),
        ...(is_disabled != null && { isDisabled: is_disabled }),
        ...(retry_enabled != null && { retryEnabled: retry_enabled }),
        ...(request_headers != null && { requestHeaders: withoutNulls(request_headers) }),
        ...(events != null && { events }),
      });
      return DONE;
    },
  );
  typed.delete(
    ONE,
    {
      schema: {
        summary: 'Remove a webhook, and what was still to be delivered',
        access: { scope: 'workspace_write' },
        tags,
        params: WebhookParams,
        errors: ['not_found'],
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      await registry.remove(accountId, request.params.webhook_id);
      return DONE;
    },
  );
}

function deliveriesRoutes(app: FastifyInstance, registry: WebhookRegistry): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'List what was and will be delivered, newest first',
    access: { scope: 'workspace_read' } as const,
    tags,
    params: WebhookParams,
    querystring: DeliveriesQuery,
    errors: ['not_found'] as const,
    response: { 200: DeliveriesPage },
  };
  typed.get(`${ONE}/deliveries`, { schema }, async (request) => {
    const { accountId } = request.caller;
    const { page_size: limit, cursor } = request.query;
    const found = await registry.deliveries(accountId, request.params.webhook_id, {
      // One more than fits tells whether there is another page.
      limit: limit + 1,
      after: cursor === undefined ? undefined : positionOf(cursor),
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      deliveries: page.map(deliveryRecord),
      has_more: last !== undefined,
      next_cursor: last ? `${last.createdAtMs}_${last.deliveryId}` : null,
    };
  });
  typed.post(
    `${ONE}/deliveries/:delivery_id/redeliver`,
    {
      schema: {
        summary: 'Deliver an event once more',
        access: { scope: 'workspace_write' },
        tags,
        params: DeliveryParams,
        errors: ['not_found', 'webhook_disabled'],
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { webhook_id, delivery_id } = request.params;
      await registry.redeliver(accountId, webhook_id, delivery_id);
      return DONE;
    },
  );
}

/** A webhook as clients read it (PROTOCOL §3.9), and whether it is retried; never its secret or headers. */
function webhookRecord(webhook: Webhook, withUsage: boolean): Static<typeof WebhookRecord> {
  return {
    name: webhook.name,
    webhook_id: webhook.webhookId,
    webhook_url: webhook.url,
    is_disabled: webhook.isDisabled,
    is_auto_disabled: webhook.isAutoDisabled,
    created_at_unix: toUnix(webhook.createdAtMs),
    auth_type: 'hmac',
    retry_enabled: webhook.retryEnabled,
    // Products of the original that would be listed here are not ours: events say it all.
    usage: withUsage ? [] : null,
    events: webhook.events,
    most_recent_failure_error_code: webhook.lastFailureStatus,
    most_recent_failure_timestamp: toUnixOrNull(webhook.lastFailureAtMs),
  };
}

function deliveryRecord(delivery: Delivery): Static<typeof DeliveryRecord> {
  return {
    delivery_id: delivery.deliveryId,
    event_id: delivery.eventId,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    created_at_unix: toUnix(delivery.createdAtMs),
    next_attempt_unix: delivery.state === 'pending' ? toUnix(delivery.dueAtMs) : null,
    last_attempt_unix: toUnixOrNull(delivery.lastAttemptAtMs),
    last_status: delivery.lastStatus,
    last_problem: delivery.lastProblem,
    body: delivery.body,
  };
}

function toUnix(ms: number): number {
  return Math.floor(ms / 1000);
}

function toUnixOrNull(ms: number | null): number | null {
  return ms === null ? null : toUnix(ms);
}

function positionOf(cursor: string): { createdAtMs: number; deliveryId: string } {
  const [createdAtMs = '', deliveryId = ''] = cursor.split('_', 2);
  return { createdAtMs: Number(createdAtMs), deliveryId };
}

/** Some clients send null for a header that they do not want. */
function withoutNulls(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  const wanted = Object.entries(headers).filter((entry) => entry[1] !== null);
  return Object.fromEntries(wanted) as Record<string, string>;
}
