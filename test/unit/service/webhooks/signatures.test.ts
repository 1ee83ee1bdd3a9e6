import { WebhooksClient } from '@elevenlabs/elevenlabs-js/wrapper/webhooks.js';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  generateSigningSecret,
  signatureHeaders,
} from '../../../../src/service/webhooks/signatures.ts';

const now = () => Math.floor(Date.now() / 1000);
const BODY = '{"type":"voice.ready","event_timestamp":1763700000,"data":{"name":"Zoë — 🔊"}}';

function signed(secret: string, timestampS = now(), body = BODY): Record<string, string> {
  return signatureHeaders({ secret, eventId: 'evt_1', body, timestampS });
}

describe('a signing secret', () => {
  it('is 32 random bytes behind a prefix', () => {
    const secret = generateSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateSigningSecret()).not.toBe(secret);
  });
});

describe('signature headers', () => {
  const sdk = new WebhooksClient({});

  it('are believed by the official SDK', async () => {
    const secret = generateSigningSecret();
    const { 'elevenlabs-signature': header = '' } = signed(secret);
    expect(await sdk.constructEvent(BODY, header, secret)).toEqual(JSON.parse(BODY));
    await expect(sdk.constructEvent(`${BODY} `, header, secret)).rejects.toThrow(/does not match/);
    await expect(sdk.constructEvent(BODY, header, generateSigningSecret())).rejects.toThrow(
      /does not match/,
    );
    const old = signed(secret, now() - 31 * 60)['elevenlabs-signature'] ?? '';
    await expect(sdk.constructEvent(BODY, old, secret)).rejects.toThrow(/tolerance/);
  });

  it('are believed by the Standard Webhooks library', () => {
    const secret = generateSigningSecret();
    const webhook = new Webhook(secret);
    expect(webhook.verify(BODY, signed(secret))).toEqual(JSON.parse(BODY));
    expect(() => webhook.verify(`${BODY} `, signed(secret))).toThrow(/No matching signature/);
    expect(() => webhook.verify(BODY, { ...signed(secret), 'webhook-id': 'evt_2' })).toThrow(
      /No matching signature/,
    );
  });

  it('are exactly what OpenSSL makes of the same secret', () => {
    // printf '1763700000.{}' | openssl dgst -sha256 -hmac "$secret"
    // printf 'evt_1.1763700000.{}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…1f -binary | base64
    const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')}`;
    expect(signed(secret, 1_763_700_000, '{}')).toEqual({
      'elevenlabs-signature':
        't=1763700000,v0=ad9e13857307b9f37e5e521833c00e3d6c45d874ad5b9e97a9e67c345326dcc9',
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1763700000',
      'webhook-signature': 'v1,yaRUrfetFzigtgLwBY3vcSP2/CzZdThp5rGooTHC350=',
    });
  });
});
