import twilio from 'twilio';
import { describe, expect, it } from 'vitest';
import { SpentNonces } from '../../../../../src/phone/carriers/spent-nonces.ts';
import { twilioSignature } from '../../../../../src/phone/carriers/twilio/twilio-signature.ts';
import { CALL_FORM, signedRequest } from '../signed-request.ts';

const { getExpectedTwilioSignature, validateRequest } = twilio;
const TOKEN = '12345678901234567890123456789012';
const STREAM = 'wss://voice.example.com/v1/lines/default/twilio';
const WEBHOOK = 'https://voice.example.com/v1/lines/default/twilio/call';

function verify(seenUrl: string, signedUrl: string, form?: Readonly<Record<string, string>>) {
  const signature = getExpectedTwilioSignature(TOKEN, signedUrl, form ?? {});
  const request = signedRequest(seenUrl, { 'x-twilio-signature': signature }, form);
  twilioSignature.verify(request, TOKEN);
}

const refused = expect.objectContaining({ code: 'invalid_signature' });

describe("Twilio's signature, as its own package makes it", () => {
  it.each([
    ['an upgrade', STREAM, STREAM, undefined],
    ['an upgrade whose address got a slash', STREAM, `${STREAM}/`, undefined],
    ['an upgrade that was signed as https', STREAM, STREAM.replace('wss', 'https'), undefined],
    ['an upgrade with its port', STREAM, STREAM.replace('.com', '.com:443'), undefined],
    [
      'an upgrade behind a proxy that does not say it speaks TLS',
      STREAM.replace('wss', 'ws'),
      STREAM,
      undefined,
    ],
    [
      'an upgrade on a port of its own',
      STREAM.replace('.com', '.com:8443'),
      STREAM.replace('.com', '.com:8443'),
      undefined,
    ],
    ['a webhook', WEBHOOK, WEBHOOK, CALL_FORM],
    [
      'a webhook that is a GET',
      `${WEBHOOK}?CallSid=CA0&From=%2B1`,
      `${WEBHOOK}?CallSid=CA0&From=%2B1`,
      undefined,
    ],
    [
      'a webhook behind a proxy that does not say it speaks TLS',
      WEBHOOK.replace('https', 'http'),
      WEBHOOK,
      CALL_FORM,
    ],
    [
      'a webhook with a query of its own',
      `${WEBHOOK}?format=ulaw_8000`,
      `${WEBHOOK}?format=ulaw_8000`,
      CALL_FORM,
    ],
    [
      'a webhook on an IPv6 address',
      WEBHOOK.replace('voice.example.com', '[2001:db8::1]:8443'),
      WEBHOOK.replace('voice.example.com', '[2001:db8::1]:8443'),
      CALL_FORM,
    ],
  ])('is good on %s', (_what, seenUrl, signedUrl, form) => {
    expect(() => verify(seenUrl, signedUrl, form)).not.toThrow();
  });

  it('is good on fields that come more than once', () => {
    const form = { MediaUrl: ['b', 'a', 'b'] };
    const request = {
      ...signedRequest(WEBHOOK, {
        'x-twilio-signature': getExpectedTwilioSignature(TOKEN, WEBHOOK, form),
      }),
      form: [
        ['MediaUrl', 'b'],
        ['MediaUrl', 'a'],
        ['MediaUrl', 'b'],
      ] as const,
    };
    expect(() => twilioSignature.verify(request, TOKEN)).not.toThrow();
  });

  it('is refused for another host, path, query, scheme of thing, field or token', () => {
    for (const url of [
      STREAM.replace('voice', 'evil'),
      STREAM.replace('default', 'other'),
      `${STREAM}?api_key=x`,
      STREAM.replace('.com', '.com:8443'),
    ]) {
      expect(() => verify(STREAM, url), url).toThrow(refused);
      const signature = getExpectedTwilioSignature(TOKEN, url, {});
      expect(validateRequest(TOKEN, signature, STREAM, {})).toBe(false);
    }
    const signature = getExpectedTwilioSignature(TOKEN, WEBHOOK, CALL_FORM);
    const changed = signedRequest(
      WEBHOOK,
      { 'x-twilio-signature': signature },
      { ...CALL_FORM, From: '+1' },
    );
    expect(() => twilioSignature.verify(changed, TOKEN)).toThrow(refused);
    const same = signedRequest(WEBHOOK, { 'x-twilio-signature': signature }, CALL_FORM);
    expect(() => twilioSignature.verify(same, `${TOKEN}0`)).toThrow(refused);
  });

  it('is refused when it is missing, empty or anything else', () => {
    for (const headers of [
      {},
      { 'x-twilio-signature': '' },
      { 'x-twilio-signature': 'é'.repeat(28) },
    ]) {
      expect(() => twilioSignature.verify(signedRequest(STREAM, headers), TOKEN)).toThrow(refused);
    }
  });

  it('is good once, where requests are remembered', () => {
    const spent = new SpentNonces();
    const signature = getExpectedTwilioSignature(TOKEN, WEBHOOK, CALL_FORM);
    const request = signedRequest(WEBHOOK, { 'x-twilio-signature': signature }, CALL_FORM);
    twilioSignature.verify(request, TOKEN, spent);
    expect(() => twilioSignature.verify(request, TOKEN, spent)).toThrow(refused);
    const years = { ...request, nowMs: request.nowMs + 1e12 };
    expect(() => twilioSignature.verify(years, TOKEN, spent)).toThrow(refused);
  });

  it('is remembered only when it was good', () => {
    const spent = new SpentNonces();
    const request = signedRequest(WEBHOOK, { 'x-twilio-signature': 'x'.repeat(28) }, CALL_FORM);
    expect(() => twilioSignature.verify(request, TOKEN, spent)).toThrow(refused);
    expect(spent.size).toBe(0);
  });

  it('is refused for a body that is no form, which it does not cover', () => {
    const signature = getExpectedTwilioSignature(TOKEN, WEBHOOK, {});
    const bare = signedRequest(WEBHOOK, { 'x-twilio-signature': signature });
    expect(() => twilioSignature.verify(bare, TOKEN)).not.toThrow();
    const body = Buffer.from('{"From":"+19005550100"}');
    expect(() => twilioSignature.verify({ ...bare, body }, TOKEN)).toThrow(refused);
  });
});
