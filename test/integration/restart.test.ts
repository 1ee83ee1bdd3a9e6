import { describe, expect, it } from 'vitest';
import { toneRecording } from '../support/recordings.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryDir } from '../support/temporary-dir.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

/** All that an account has, as it reads it. */
const LISTS = [
  '/v1/voices',
  '/v1/history',
  '/v1/pronunciation-dictionaries',
  '/v1/workspace/webhooks',
  '/v1/workspace/api-keys',
  '/v1/workspace/accounts',
  '/v1/user/subscription',
];

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Requests to one server, with one key. */
function caller(url: string, key: string) {
  return async (path: string, body?: unknown): Promise<Reply> => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      headers: {
        'xi-api-key': key,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${bytes}`);
    return { status: response.status, headers: response.headers, bytes };
  };
}

function json(reply: Reply): Record<string, string> {
  return JSON.parse(reply.bytes.toString());
}

/** Makes one of everything. @returns the key it made, and the path of the audio it kept. */
async function fill(call: ReturnType<typeof caller>, hookUrl: string) {
  const form = new FormData();
  form.set('name', 'Mine');
  form.set('files', new Blob([toneRecording()], { type: 'audio/wav' }), 'tone.wav');
  const { voice_id: voiceId } = json(await call('/v1/voices/add', form));
  await call(`/v1/voices/${voiceId}/settings/edit`, { stability: 0.25 });
  await call('/v1/pronunciation-dictionaries/add-from-rules', {
    name: 'Names',
    rules: [{ type: 'alias', string_to_replace: 'Aoife', alias: 'Eefa' }],
  });
  const settings = { auth_type: 'hmac', name: 'hook', webhook_url: hookUrl };
  await call('/v1/workspace/webhooks', { settings });
  await call('/v1/workspace/accounts', { account_id: 'acme', name: 'Acme', tier: 'pro' });
  const { api_key: key } = json(await call('/v1/workspace/api-keys', { name: 'bot' }));
  const { voices } = JSON.parse((await call('/v1/voices')).bytes.toString());
  const spoken = await call(`/v1/text-to-speech/${voices[0].voice_id}`, { text: 'Good morning.' });
  const itemId = spoken.headers.get('history-item-id');
  return { key: key ?? '', audioPath: `/v1/history/${itemId}/audio`, audio: spoken.bytes };
}

describe('a server that is killed', () => {
  it('has everything when it starts again, and tells what it had not told yet', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = ['hang'];
    const settings = {
      SIDETONE_DATA_DIR: temporaryDir(),
      SIDETONE_WEBHOOK_ALLOW: '127.0.0.1',
      SIDETONE_WEBHOOK_ALLOW_HTTP: 'true',
    };
    const before = new Map<string, string>();
    let made: Awaited<ReturnType<typeof fill>>;
    {
      await using server = ServerProcess.start(settings);
      const [firstKey] = await server.says(/sk_[0-9A-Za-z]+/);
      const call = caller(await server.url(), firstKey);
      made = await fill(call, receiver.url);
      await receiver.has(1);
      for (const path of LISTS) before.set(path, (await call(path)).bytes.toString());
      server.signal('SIGKILL');
      await server.exited();
    }
    await using server = ServerProcess.start(settings);
    const call = caller(await server.url(), made.key);
    for (const path of LISTS) {
      expect((await call(path)).bytes.toString(), path).toBe(before.get(path));
    }
    expect((await call(made.audioPath)).bytes.equals(made.audio)).toBe(true);
    expect(JSON.parse(before.get('/v1/user/subscription') ?? '')).toMatchObject({
      character_count: 13,
    });
    const [{ webhook_id: webhookId }] = JSON.parse(
      before.get('/v1/workspace/webhooks') ?? '',
    ).webhooks;
    const { deliveries } = JSON.parse(
      (await call(`/v1/workspace/webhooks/${webhookId}/deliveries`)).bytes.toString(),
    );
    expect(deliveries).toMatchObject([{ type: 'speech.generated', state: 'pending' }]);
    // Nobody has to wait for the lease of the dead process: the owner may ask for it at once.
    receiver.answers = [200];
    await call(
      `/v1/workspace/webhooks/${webhookId}/deliveries/${deliveries[0].delivery_id}/redeliver`,
      {},
    );
    const [first, second] = await receiver.has(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  }, 120_000);
});
