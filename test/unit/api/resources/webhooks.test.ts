import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { SERVICE_EVENT_SCHEMAS } from '../../../../src/api/documents/service-event-schemas.ts';
import { SERVICE_EVENT_TYPES, type ServiceEvent } from '../../../../src/domain/service-event.ts';
import { WebhookReceiver } from '../../../support/webhook-receiver.ts';
import { ACCOUNT, VOICE_READY } from '../../service/webhooks/dispatch-harness.ts';
import { CONFIGURED_SECRET } from './api-harness.ts';
import { openWebhooksApi } from './webhooks-harness.ts';

const PATH = '/v1/workspace/webhooks';
const headers = { 'xi-api-key': CONFIGURED_SECRET };
const SETTINGS = { auth_type: 'hmac', name: 'My hook', webhook_url: 'https://example.com/hook' };

type Api = Awaited<ReturnType<typeof openWebhooksApi>>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function call({ app }: Api, method: Method, url: string, payload?: object) {
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, headers: reply.headers, body: reply.body, json: reply.json() };
}

function create(api: Api, settings: object = {}) {
  return call(api, 'POST', PATH, { settings: { ...SETTINGS, ...settings } });
}

async function listed(api: Api, query = '') {
  return (await call(api, 'GET', PATH + query)).json.webhooks;
}

describe('webhooks over REST', () => {
  it('are made with their secret shown once', async () => {
    const api = await openWebhooksApi();
    const made = await create(api, {
      request_headers: { 'X-Token': 'header-secret', 'x-no': null },
    });
    expect(made.status).toBe(200);
    expect(made.headers['cache-control']).toBe('no-store');
    const { webhook_id, webhook_secret, ...rest } = made.json;
    expect(rest).toEqual({});
    expect(webhook_secret).toMatch(/^whsec_/);
    const list = await call(api, 'GET', PATH);
    expect(list.json).toEqual({
      webhooks: [
        {
          name: 'My hook',
          webhook_id,
          webhook_url: 'https://example.com/hook',
          is_disabled: false,
          is_auto_disabled: false,
          created_at_unix: 1_763_700_000,
          auth_type: 'hmac',
          retry_enabled: true,
          usage: null,
          events: SERVICE_EVENT_TYPES,
          most_recent_failure_error_code: null,
          most_recent_failure_timestamp: null,
        },
      ],
    });
    const said = `${list.body}${api.logged.join('')}`;
    for (const secret of [webhook_secret, 'header-secret']) expect(said).not.toContain(secret);
    const stored = JSON.stringify(await api.storage.webhooks.list(ACCOUNT));
    for (const secret of [webhook_secret, 'header-secret']) expect(stored).not.toContain(secret);
  });

  it('take the events and the retries that are asked for', async () => {
    const api = await openWebhooksApi();
    await create(api, { events: ['call.ended'], retry_enabled: false });
    await create(api, { events: null, retry_enabled: null, request_headers: null });
    // Both may have been made in the same millisecond, so their order is open.
    const list = await listed(api, '?include_usages=true');
    expect(list).toHaveLength(2);
    expect(list).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ events: ['call.ended'], retry_enabled: false, usage: [] }),
        expect.objectContaining({ events: SERVICE_EVENT_TYPES, retry_enabled: true, usage: [] }),
      ]),
    );
  });

  it.each([
    { webhook_url: 'http://[fe80::1%25eth0]/' },
    { webhook_url: 'not a url' },
    { webhook_url: '' },
    { webhook_url: 'ftp://example.com/' },
    { webhook_url: 'https://user:word@example.com/' },
    { webhook_url: 'https://10.0.0.1/' },
    { webhook_url: 'https://169.254.169.254/latest/meta-data' },
    { webhook_url: 'https://[::ffff:10.0.0.1]/' },
    { webhook_url: 'https://example.com:22/' },
  ])('are refused for %j', async (settings) => {
    const api = await openWebhooksApi();
    const made = await create(api, settings);
    expect(made.status).toBe(400);
    expect(made.json.detail).toMatchObject({ type: 'validation_error', param: 'webhook_url' });
    expect(await listed(api)).toEqual([]);
  });

  it.each([{ Host: 'evil' }, { 'webhook-id': 'x' }, { 'x-a': 'a\r\nx-b: c' }, { 'a b': 'c' }])(
    'are refused with the headers %j',
    async (request_headers) => {
      const api = await openWebhooksApi();
      const made = await create(api, { request_headers });
      expect(made.status).toBe(400);
      expect(made.json.detail).toMatchObject({ param: 'request_headers' });
      const { webhook_id } = (await create(api)).json;
      const edited = await call(api, 'PATCH', `${PATH}/${webhook_id}`, { request_headers });
      expect(edited.status).toBe(400);
    },
  );

  it.each([
    [{}, ['body', 'settings']],
    [{ settings: { ...SETTINGS, auth_type: 'oauth' } }, ['body', 'settings', 'auth_type']],
    [{ settings: { ...SETTINGS, name: '' } }, ['body', 'settings', 'name']],
    [{ settings: { ...SETTINGS, webhook_url: { a: 1 } } }, ['body', 'settings', 'webhook_url']],
    [
      { settings: { ...SETTINGS, webhook_url: `https://e.com/${'x'.repeat(3_000)}` } },
      ['body', 'settings', 'webhook_url'],
    ],
    [{ settings: { ...SETTINGS, events: ['nothing'] } }, ['body', 'settings', 'events', 0]],
    [
      { settings: { ...SETTINGS, request_headers: { a: {} } } },
      ['body', 'settings', 'request_headers', 'a'],
    ],
    [
      { settings: { ...SETTINGS, request_headers: ['a'] } },
      ['body', 'settings', 'request_headers'],
    ],
  ])('refuse the body %j', async (payload, loc) => {
    const { app } = await openWebhooksApi();
    const reply = await app.inject({ method: 'POST', url: PATH, headers, payload });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toMatchObject([{ loc }]);
  });

  it.each<[Method, string, object?]>([
    ['GET', ''],
    ['POST', '', { settings: SETTINGS }],
    ['PATCH', '/some', {}],
    ['DELETE', '/some'],
    ['GET', '/some/deliveries'],
    ['POST', '/some/deliveries/other/redeliver'],
  ])('need a key for %s %s', async (method, path, payload) => {
    const { app } = await openWebhooksApi();
    const reply = await app.inject({ method, url: PATH + path, ...(payload && { payload }) });
    expect(reply.statusCode).toBe(401);
  });

  it('are at most fifty', async () => {
    const api = await openWebhooksApi();
    for (let count = 0; count < 50; count++) expect((await create(api)).status).toBe(200);
    const refused = await create(api);
    expect(refused.status).toBe(400);
    expect(refused.json.detail).toMatchObject({
      code: 'account_limit_reached',
      message: expect.stringContaining('50 webhooks already'),
    });
  });
});

describe('changing a webhook', () => {
  it('changes what is given', async () => {
    const api = await openWebhooksApi();
    const { webhook_id } = (await create(api)).json;
    const [before] = await listed(api);
    const url = `${PATH}/${webhook_id}`;
    expect((await call(api, 'PATCH', url, {})).json).toEqual({ status: 'ok' });
    const nothing = { name: null, events: null, retry_enabled: null, request_headers: null };
    await call(api, 'PATCH', url, nothing);
    expect(await listed(api)).toEqual([before]);
    const change = { name: 'New', is_disabled: true, retry_enabled: false, events: ['call.ended'] };
    expect((await call(api, 'PATCH', url, change)).status).toBe(200);
    expect(await listed(api)).toEqual([{ ...before, ...change }]);
  });

  it('sends the new headers, and only those', async () => {
    const receiver = await WebhookReceiver.start();
    const api = await openWebhooksApi();
    const made = await create(api, {
      webhook_url: receiver.url,
      request_headers: { 'x-old': 'old' },
    });
    const url = `${PATH}/${made.json.webhook_id}`;
    await call(api, 'PATCH', url, { request_headers: { 'X-New': 'new' } });
    await api.tell(VOICE_READY);
    const [received] = await receiver.has(1);
    expect(received?.headers).toMatchObject({ 'x-new': 'new' });
    expect(received?.headers['x-old']).toBeUndefined();
  });

  it.each<[Method, object?]>([['PATCH', {}], ['DELETE']])(
    'does not find the webhooks of others: %s',
    async (method, payload) => {
      const api = await openWebhooksApi();
      const { webhook } = await api.registry.create('somebody-else', {
        name: 'theirs',
        url: 'https://example.com/',
        requestHeaders: {},
        events: [],
        retryEnabled: true,
      });
      for (const id of [webhook.webhookId, 'unknown', '..%2f..']) {
        const reply = await call(api, method, `${PATH}/${id}`, payload);
        expect(reply.status).toBe(404);
        expect(reply.json.detail.param).toBe('webhook_id');
      }
    },
  );

  it('ends with its removal', async () => {
    const api = await openWebhooksApi();
    const { webhook_id } = (await create(api)).json;
    const url = `${PATH}/${webhook_id}`;
    expect((await call(api, 'DELETE', url)).json).toEqual({ status: 'ok' });
    expect((await call(api, 'DELETE', url)).status).toBe(404);
    expect(await listed(api)).toEqual([]);
  });
});

describe('deliveries over REST', () => {
  it('are listed with what became of them, page by page', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [200, 500];
    const api = await openWebhooksApi();
    const { webhook_id } = (await create(api, { webhook_url: receiver.url })).json;
    for (const count of [1, 2]) {
      await api.tell(VOICE_READY);
      await receiver.has(count);
      await api.dispatcher.idle();
      api.clock.nowMs += 1_000;
    }
    const url = `${PATH}/${webhook_id}/deliveries`;
    const first = (await call(api, 'GET', `${url}?page_size=1`)).json;
    expect(first).toEqual({
      deliveries: [
        {
          delivery_id: expect.any(String),
          event_id: receiver.received[1]?.headers['webhook-id'],
          type: 'voice.ready',
          state: 'pending',
          attempts: 1,
          created_at_unix: 1_763_700_001,
          next_attempt_unix: 1_763_700_006,
          last_attempt_unix: 1_763_700_001,
          last_status: 500,
          last_problem: 'The receiver answered 500.',
          body: receiver.received[1]?.body,
        },
      ],
      has_more: true,
      next_cursor: expect.any(String),
    });
    const second = (await call(api, 'GET', `${url}?page_size=1&cursor=${first.next_cursor}`)).json;
    expect(second).toMatchObject({
      deliveries: [{ state: 'delivered', next_attempt_unix: null, last_problem: null }],
      has_more: false,
      next_cursor: null,
    });
    expect((await call(api, 'GET', url)).json.deliveries.length).toBe(2);
    expect(await listed(api)).toMatchObject([
      { most_recent_failure_error_code: 500, most_recent_failure_timestamp: 1_763_700_001 },
    ]);
  });

  it.each(['page_size=0', 'page_size=101', 'page_size=-1', 'page_size=x', 'cursor=x', 'cursor=1_'])(
    'are not listed with %s',
    async (query) => {
      const api = await openWebhooksApi();
      expect((await call(api, 'GET', `${PATH}/some/deliveries?${query}`)).status).toBe(422);
    },
  );

  it('can be made again', async () => {
    const receiver = await WebhookReceiver.start();
    const api = await openWebhooksApi();
    const { webhook_id } = (await create(api, { webhook_url: receiver.url })).json;
    await api.tell(VOICE_READY);
    const { deliveryId } = await api.delivery(webhook_id, ({ state }) => state === 'delivered');
    const url = `${PATH}/${webhook_id}/deliveries/${deliveryId}/redeliver`;
    expect((await call(api, 'POST', url)).json).toEqual({ status: 'ok' });
    await receiver.has(2);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });

  it('cannot be made again where there are none, or while the webhook is disabled', async () => {
    const api = await openWebhooksApi();
    const { webhook_id } = (await create(api)).json;
    const url = `${PATH}/${webhook_id}`;
    const unknown = await call(api, 'POST', `${url}/deliveries/unknown/redeliver`);
    expect(unknown.status).toBe(404);
    expect(unknown.json.detail.param).toBe('delivery_id');
    const nowhere = await call(api, 'POST', `${PATH}/nothing/deliveries/unknown/redeliver`);
    expect(nowhere.json.detail.param).toBe('webhook_id');
    await call(api, 'PATCH', url, { is_disabled: true });
    const disabled = await call(api, 'POST', `${url}/deliveries/unknown/redeliver`);
    expect(disabled.status).toBe(409);
    expect(disabled.json.detail.code).toBe('webhook_disabled');
  });
});

describe('the payload', () => {
  const events: ServiceEvent[] = [
    VOICE_READY,
    {
      type: 'speech.generated',
      accountId: ACCOUNT,
      data: {
        request_id: 'r',
        history_item_id: null,
        voice_id: 'v',
        model_id: 'm',
        output_format: 'mp3_44100_128',
        character_count: 12,
        audio_duration_ms: 900,
      },
    },
    {
      type: 'quota.reached',
      accountId: ACCOUNT,
      data: {
        api_key_id: null,
        character_count: 10,
        character_limit: 10,
        next_reset_unix: 1_763_800_000,
      },
    },
    {
      type: 'key.rotated',
      accountId: ACCOUNT,
      data: { api_key_id: 'k', name: 'bot', last_four: 'aB3z' },
    },
    {
      type: 'call.ended',
      accountId: ACCOUNT,
      data: {
        call_id: 'c',
        carrier: 'twilio',
        started_at_unix: 1_763_700_000,
        duration_ms: 61_000,
        character_count: 99,
        end_reason: 'hangup',
      },
    },
  ];

  it('has an example here of every type', () => {
    expect(events.map(({ type }) => type).sort()).toEqual(SERVICE_EVENT_TYPES.toSorted());
  });

  it.each(events)('of $type is as documented', async (event) => {
    const receiver = await WebhookReceiver.start();
    const api = await openWebhooksApi();
    await create(api, { webhook_url: receiver.url });
    await api.tell(event);
    const [received] = await receiver.has(1);
    const body = JSON.parse(received?.body ?? '');
    expect(Value.Errors(SERVICE_EVENT_SCHEMAS[event.type], body)).toEqual([]);
    expect(body.data).toEqual(event.data);
    expect(received?.headers['content-type']).toBe('application/json');
  });
});
