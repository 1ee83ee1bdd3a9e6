import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { bytesOf, type Drive, type Scene } from './sdk-scene.ts';

const PLS = readFileSync(new URL('../fixtures/pls/airport.pls', import.meta.url));
const RULE = { type: 'alias', stringToReplace: 'SQL', alias: 'sequel' } as const;
const OK = { status: 'ok' };

const account: Record<string, Drive> = {
  'GET /v1/user': async ({ client }) => {
    const user = await client.user.get();
    expect(user).toMatchObject({ isNewUser: false, subscription: { status: 'active' } });
  },
  'GET /v1/user/subscription': async ({ client }) => {
    const subscription = await client.user.subscription.get();
    expect(subscription).toMatchObject({ tier: 'business', hasOpenInvoices: false });
    expect(subscription.characterCount).toBeGreaterThanOrEqual(0);
  },
  'GET /v1/usage/character-stats': async (scene) => {
    const startUnix = Date.now() - 86_400_000;
    await scene.item('Charged.');
    const query = { startUnix, endUnix: Date.now(), includeWorkspaceMetrics: true };
    const { time, usage } = await scene.client.usage.get(query);
    expect(usage['All']?.length).toBe(time.length);
    const sum = (figures: readonly number[] = []) => figures.reduce((one, other) => one + other, 0);
    expect(sum(usage['All'])).toBeGreaterThanOrEqual(8);
    const byVoice = { breakdownType: 'voice', aggregationInterval: 'hour' } as const;
    const { usage: voices } = await scene.client.usage.get({ ...query, ...byVoice });
    expect(sum(voices[scene.voiceId])).toBeGreaterThanOrEqual(8);
  },
  'GET /v1/workspace/api-keys': async (scene) => scene.call('GET /v1/workspace/api-keys'),
  'POST /v1/workspace/api-keys': async (scene) => scene.apiKey(),
  'PATCH /v1/workspace/api-keys/{api_key_id}': async (scene) =>
    scene.call(`PATCH /v1/workspace/api-keys/${await scene.apiKey()}`, { name: 'other' }),
  'POST /v1/workspace/api-keys/{api_key_id}/rotate': async (scene) =>
    scene.call(`POST /v1/workspace/api-keys/${await scene.apiKey()}/rotate`),
  'DELETE /v1/workspace/api-keys/{api_key_id}': async (scene) =>
    scene.call(`DELETE /v1/workspace/api-keys/${await scene.apiKey()}`),
  'GET /v1/workspace/accounts': async (scene) => scene.call('GET /v1/workspace/accounts'),
  'POST /v1/workspace/accounts': async (scene) =>
    scene.call('POST /v1/workspace/accounts', { account_id: 'acme', name: 'A', tier: 'pro' }),
  'GET /v1/workspace/accounts/{account_id}': async (scene) =>
    scene.call('GET /v1/workspace/accounts/default'),
  'PATCH /v1/workspace/accounts/{account_id}': async (scene) =>
    scene.call('PATCH /v1/workspace/accounts/default', { name: 'Ours' }),
};

const dictionaries: Record<string, Drive> = {
  'POST /v1/pronunciation-dictionaries/add-from-rules': async (scene) => {
    expect(await scene.dictionary()).toMatchObject({ name: 'Names', versionRulesNum: 2 });
  },
  'POST /v1/pronunciation-dictionaries/add-from-file': async ({ client }) => {
    const made = await client.pronunciationDictionaries.createFromFile({
      name: 'Airport',
      file: { data: PLS, filename: 'airport.pls', contentType: 'application/pls+xml' },
    });
    expect(made.versionRulesNum).toBeGreaterThan(0);
  },
  'GET /v1/pronunciation-dictionaries': async (scene) => {
    await scene.dictionary();
    await scene.dictionary();
    const { pronunciationDictionaries } = scene.client;
    const page = await pronunciationDictionaries.list({ pageSize: 1, sort: 'name' });
    expect([page.pronunciationDictionaries.length, page.hasMore]).toEqual([1, true]);
    const cursor = page.nextCursor ?? '';
    const next = await pronunciationDictionaries.list({ pageSize: 1, sort: 'name', cursor });
    expect(next.pronunciationDictionaries[0]?.id).not.toBe(page.pronunciationDictionaries[0]?.id);
  },
  'GET /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}': async (scene) => {
    const { id } = await scene.dictionary();
    const found = await scene.client.pronunciationDictionaries.get(id);
    expect(found).toMatchObject({ id, latestVersionRulesNum: 2 });
  },
  'PATCH /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}': async (scene) => {
    const { id } = await scene.dictionary();
    const change = { name: 'Renamed', archived: true };
    const changed = await scene.client.pronunciationDictionaries.update(id, change);
    expect(changed).toMatchObject({ id, name: 'Renamed' });
  },
  'DELETE /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}': async (scene) => {
    const { id } = await scene.dictionary();
    await scene.call(`DELETE /v1/pronunciation-dictionaries/${id}`);
    await expect(scene.client.pronunciationDictionaries.get(id)).rejects.toThrow(/not_found/);
  },
  'GET /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}/{version_id}/download': async (
    scene,
  ) => {
    const { id, versionId } = await scene.dictionary();
    const file = await scene.client.pronunciationDictionaries.download(id, versionId);
    expect((await bytesOf(file)).toString()).toContain('Eefa');
  },
  'POST /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}/add-rules': async (scene) => {
    const { id, versionId } = await scene.dictionary();
    const added = await scene.client.pronunciationDictionaries.rules.add(id, { rules: [RULE] });
    expect(added).toMatchObject({ id, versionRulesNum: 3 });
    expect(added.versionId).not.toBe(versionId);
  },
  'POST /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}/set-rules': async (scene) => {
    const { id } = await scene.dictionary();
    const set = await scene.client.pronunciationDictionaries.rules.set(id, { rules: [RULE] });
    expect(set.versionRulesNum).toBe(1);
  },
  'POST /v1/pronunciation-dictionaries/{pronunciation_dictionary_id}/remove-rules': async (
    scene,
  ) => {
    const { id } = await scene.dictionary();
    const gone = { ruleStrings: ['tomato'] };
    const left = await scene.client.pronunciationDictionaries.rules.remove(id, gone);
    expect(left.versionRulesNum).toBe(1);
  },
};

const webhooks: Record<string, Drive> = {
  'POST /v1/workspace/webhooks': async (scene) => {
    expect((await scene.webhook()).webhookSecret).toMatch(/^whsec_/);
  },
  'GET /v1/workspace/webhooks': async (scene) => {
    const { webhookId } = await scene.webhook();
    const { webhooks } = await scene.client.webhooks.list({ includeUsages: true });
    expect(webhooks.find((each) => each.webhookId === webhookId)).toMatchObject({
      name: 'Hook',
      authType: 'hmac',
      isDisabled: false,
      isAutoDisabled: false,
    });
  },
  'PATCH /v1/workspace/webhooks/{webhook_id}': async (scene) => {
    const { webhookId } = await scene.webhook();
    const change = { isDisabled: true, name: 'Off', retryEnabled: false, requestHeaders: {} };
    expect(await scene.client.webhooks.update(webhookId, change)).toEqual(OK);
  },
  'DELETE /v1/workspace/webhooks/{webhook_id}': async (scene) => {
    const { webhookId } = await scene.webhook();
    expect(await scene.client.webhooks.delete(webhookId)).toEqual(OK);
  },
  'GET /v1/workspace/webhooks/{webhook_id}/deliveries': async (scene) => {
    const { webhookId } = await scene.webhook();
    return scene.call(`GET /v1/workspace/webhooks/${webhookId}/deliveries?page_size=5`);
  },
  'POST /v1/workspace/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver': async (scene) => {
    const receiver = await WebhookReceiver.start();
    const { webhookId, webhookSecret } = await scene.webhook(receiver.url);
    await scene.item('Tell me.');
    const told = await receiver.has(1);
    const path = `/v1/workspace/webhooks/${webhookId}/deliveries`;
    const listed = await scene.call(`GET ${path}`);
    const [delivery] = (listed as { deliveries: { delivery_id: string }[] }).deliveries;
    await scene.call(`POST ${path}/${delivery?.delivery_id}/redeliver`);
    await receiver.has(2);
    for (const { body, headers } of told) {
      const signature = String(headers['elevenlabs-signature']);
      const { webhooks } = scene.client;
      const event = await webhooks.constructEvent(body, signature, webhookSecret ?? '');
      expect(event).toMatchObject({ type: 'speech.generated', data: { character_count: 8 } });
      await expect(webhooks.constructEvent(`${body} `, signature, webhookSecret ?? ''))
        .rejects // One byte more.
        .toThrow(/does not match/);
    }
  },
};

const operation: Record<string, Drive> = {
  ...Object.fromEntries(
    ['/health', '/metrics', '/openapi.json', '/asyncapi.json', '/docs'].map((path) => [
      `GET ${path}`,
      (scene: Scene) => scene.call(`GET ${path}`),
    ]),
  ),
  'GET /docs/{page}': (scene) => scene.call('GET /docs/websocket'),
};

/** What drives the routes of accounts, dictionaries, webhooks and of whoever operates the server. */
export const ACCOUNT_CALLS: Readonly<Record<string, Drive>> = {
  ...account,
  ...dictionaries,
  ...webhooks,
  ...operation,
};
