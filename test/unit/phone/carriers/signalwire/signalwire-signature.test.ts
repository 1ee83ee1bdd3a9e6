import { createHmac } from 'node:crypto';
import twilio from 'twilio';
import { describe, expect, it } from 'vitest';
import { signalwireSignature } from '../../../../../src/phone/carriers/signalwire/signalwire-signature.ts';
import { SpentNonces } from '../../../../../src/phone/carriers/spent-nonces.ts';
import { CALL_FORM, NOW_MS, signedRequest } from '../signed-request.ts';

const KEY = 'PSKtest1234567890abcdef';
const URL = 'https://example.ngrok.io/webhook';
/** With the signature that SignalWire's own libraries hold themselves to. */
const BODY = '{"event":"call.state","params":{"call_id":"abc-123","state":"answered"}}';
const SHA1_VECTOR = 'c3c08c1fefaf9ee198a100d5906765a6f394bf0f';

const refused = expect.objectContaining({ code: 'invalid_signature' });

function request(headers: Readonly<Record<string, string>>, body = BODY) {
  return { method: 'POST', url: URL, headers, body: Buffer.from(body), form: [], nowMs: NOW_MS };
}

function hex(algorithm: string, text: string): string {
  return createHmac(algorithm, KEY).update(text).digest('hex');
}

describe("SignalWire's signature", () => {
  it('is good as its libraries make it', () => {
    for (const headers of [
      { 'x-signalwire-signature': SHA1_VECTOR },
      { 'x-signalwire-signature': SHA1_VECTOR.toUpperCase() },
      { 'x-signalwire-sha256-signature': hex('sha256', URL + BODY) },
    ]) {
      expect(() => signalwireSignature.verify(request(headers), KEY)).not.toThrow();
    }
  });

  it("is good as Twilio's kind, under either name", () => {
    const signature = twilio.getExpectedTwilioSignature(KEY, URL, CALL_FORM);
    for (const name of ['x-signalwire-signature', 'x-twilio-signature']) {
      const signed = signedRequest(URL, { [name]: signature }, CALL_FORM);
      expect(() => signalwireSignature.verify(signed, KEY)).not.toThrow();
    }
  });

  it("of Twilio's kind does not cover a body that is no form", () => {
    const signature = twilio.getExpectedTwilioSignature(KEY, URL, {});
    const bare = request({ 'x-twilio-signature': signature }, '');
    expect(() => signalwireSignature.verify(bare, KEY)).not.toThrow();
    const added = request({ 'x-twilio-signature': signature });
    expect(() => signalwireSignature.verify(added, KEY)).toThrow(refused);
  });

  it("of Twilio's kind is good once, though other forms would have the same", () => {
    const spent = new SpentNonces();
    const signature = twilio.getExpectedTwilioSignature(KEY, URL, { From: '+1', To: '+2' });
    const headers = { 'x-twilio-signature': signature };
    signalwireSignature.verify(signedRequest(URL, headers, { From: '+1', To: '+2' }), KEY, spent);
    const regrouped = signedRequest(URL, headers, { From: '+1To+2' });
    expect(() => signalwireSignature.verify(regrouped, KEY)).not.toThrow();
    expect(() => signalwireSignature.verify(regrouped, KEY, spent)).toThrow(refused);
  });

  it('is good on an upgrade, whose body is empty', () => {
    const stream = 'wss://voice.example.com/v1/lines/default/signalwire';
    const signed = signedRequest(stream, { 'x-signalwire-signature': hex('sha1', stream) });
    expect(() => signalwireSignature.verify(signed, KEY)).not.toThrow();
  });

  it('is refused when it is wrong: a wrong strong one is not made good by a weak one', () => {
    for (const [headers, body] of [
      [{}, BODY],
      [{ 'x-signalwire-signature': SHA1_VECTOR }, `${BODY} `],
      [{ 'x-signalwire-signature': hex('sha256', URL + BODY) }, BODY],
      [{ 'x-signalwire-sha256-signature': SHA1_VECTOR }, BODY],
      [{ 'x-signalwire-signature': SHA1_VECTOR, 'x-signalwire-sha256-signature': 'ff' }, BODY],
    ] as const) {
      expect(() => signalwireSignature.verify(request(headers, body), KEY)).toThrow(refused);
    }
    const good = request({ 'x-signalwire-signature': SHA1_VECTOR });
    expect(() => signalwireSignature.verify(good, 'another key')).toThrow(refused);
  });

  it('is good once, where requests are remembered, by whichever of its signatures', () => {
    const spent = new SpentNonces();
    const strong = hex('sha256', URL + BODY);
    signalwireSignature.verify(request({ 'x-signalwire-sha256-signature': strong }), KEY, spent);
    for (const headers of [
      { 'x-signalwire-sha256-signature': strong },
      { 'x-signalwire-sha256-signature': strong.toUpperCase() },
      { 'x-signalwire-signature': SHA1_VECTOR },
    ]) {
      expect(() => signalwireSignature.verify(request(headers), KEY, spent)).toThrow(refused);
    }
  });
});
