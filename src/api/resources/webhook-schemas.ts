import { Type } from 'typebox';
import { SERVICE_EVENT_TYPES, type ServiceEventType } from '../../domain/service-event.ts';
import type { DeliveryState } from '../../domain/webhook.ts';
import { nullable, UnixSeconds } from '../http/reply-schemas.ts';

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 30;

/** Lists of types, because the validator would turn a null into the first type of a union. */
const nullableBoolean = (description: string) =>
  Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description });
const nullableText = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 100,
    description,
  });

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What to call the webhook.',
  examples: ['Call records'],
});
const RetryEnabled = nullableBoolean(
  'Whether deliveries that fail are tried again, up to ten times in three days and a half. True unless said otherwise.',
);
const RequestHeaders = Type.Unsafe<Record<string, string | null> | null>({
  type: ['object', 'null'],
  maxProperties: 100,
  additionalProperties: { type: ['string', 'null'] },
  description:
    'Headers to send with every delivery, such as credentials. Stored encrypted, never listed.',
});
const Events = Type.Unsafe<ServiceEventType[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', enum: [...SERVICE_EVENT_TYPES] },
  maxItems: 20,
  uniqueItems: true,
  description: 'The events to be told of; all of them unless said otherwise.',
});

export const NewWebhookBody = Type.Object({
  settings: Type.Object(
    {
      auth_type: Type.Literal('hmac', { description: 'How deliveries are signed.' }),
      name: Name,
      webhook_url: Type.String({
        maxLength: 2_048,
        description: 'Where to deliver: https, and a host on the public internet.',
        examples: ['https://example.com/sidetone-events'],
      }),
      request_headers: Type.Optional(RequestHeaders),
      events: Type.Optional(Events),
      retry_enabled: Type.Optional(RetryEnabled),
    },
    { description: 'The webhook to make.' },
  ),
});

export const EditWebhookBody = Type.Object({
  name: Type.Optional(nullableText('What to call the webhook.')),
  is_disabled: Type.Optional(
    nullableBoolean('Switches deliveries off; false also revives a webhook that failed too long.'),
  ),
  retry_enabled: Type.Optional(RetryEnabled),
  request_headers: Type.Optional(RequestHeaders),
  events: Type.Optional(Events),
});

export const ListWebhooksQuery = Type.Object({
  include_usages: Type.Optional(
    Type.Boolean({ description: 'Whether `usage` is a list, rather than null.' }),
  ),
});

export const WebhookParams = Type.Object({
  webhook_id: Type.String({ maxLength: 100, description: 'Id of the webhook.' }),
});

export const DeliveryParams = Type.Object({
  ...WebhookParams.properties,
  delivery_id: Type.String({ maxLength: 100, description: 'Id of the delivery.' }),
});

export const DeliveriesQuery = Type.Object({
  page_size: Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'How many deliveries to list.',
  }),
  cursor: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}_[\\w-]{1,100}$',
      description: 'The `next_cursor` of the page before; without it, the newest deliveries.',
    }),
  ),
});

const EventType = Type.Unsafe<ServiceEventType>({ type: 'string', enum: [...SERVICE_EVENT_TYPES] });

export const WebhookRecord = Type.Object(
  {
    name: Type.String(),
    webhook_id: Type.String(),
    webhook_url: Type.String(),
    is_disabled: Type.Boolean({ description: 'Its owner switched it off.' }),
    is_auto_disabled: Type.Boolean({ description: 'It failed for too long, or said it is gone.' }),
    created_at_unix: UnixSeconds('When it was made.'),
    auth_type: Type.Literal('hmac'),
    retry_enabled: Type.Boolean(),
    usage: nullable(Type.Array(Type.Unknown())),
    events: Type.Unsafe<readonly ServiceEventType[]>({ type: 'array', items: EventType }),
    most_recent_failure_error_code: nullable(
      Type.Integer({ description: 'HTTP status of the last failure; null without an answer.' }),
    ),
    most_recent_failure_timestamp: nullable(UnixSeconds('When it last failed.')),
  },
  { title: 'Webhook' },
);

export const WebhookListRecord = Type.Object(
  { webhooks: Type.Array(WebhookRecord) },
  { title: 'WebhookList' },
);

export const NewWebhookRecord = Type.Object(
  {
    webhook_id: Type.String(),
    webhook_secret: Type.String({
      description: 'What deliveries are signed with, shown only now.',
    }),
  },
  { title: 'NewWebhook' },
);

export const DeliveryRecord = Type.Object(
  {
    delivery_id: Type.String(),
    event_id: Type.String({ description: 'The webhook-id header: the same in every attempt.' }),
    type: EventType,
    state: Type.Unsafe<DeliveryState>({ type: 'string', enum: ['pending', 'delivered', 'failed'] }),
    attempts: Type.Integer({ description: 'Attempts made.' }),
    created_at_unix: UnixSeconds('When the event happened.'),
    next_attempt_unix: nullable(UnixSeconds('When it is tried next.')),
    last_attempt_unix: nullable(UnixSeconds('When it was last tried.')),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last attempt.' })),
    last_problem: nullable(Type.String({ description: 'Why it failed.' })),
    body: Type.String({ description: 'The JSON that is signed and sent.' }),
  },
  { title: 'Delivery' },
);

export const DeliveriesPage = Type.Object(
  {
    deliveries: Type.Array(DeliveryRecord),
    has_more: Type.Boolean(),
    next_cursor: nullable(Type.String()),
  },
  { title: 'DeliveriesPage' },
);
