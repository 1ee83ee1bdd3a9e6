import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SpentNonces } from '../../../../../src/phone/carriers/spent-nonces.ts';
import { telnyxSignature } from '../../../../../src/phone/carriers/telnyx/telnyx-signature.ts';
import { CALL_FORM, NOW_MS, signedRequest } from '../signed-request.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
/** As the portal shows it: the last 32 bytes of the usual wrapping. */
const SECRET = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
const URL = 'https://voice.example.com/v1/lines/default/telnyx/call';
const NOW_S = NOW_MS / 1000;

const refused = expect.objectContaining({ code: 'invalid_signature' });

function request(timestamp: string, form = CALL_FORM, signedForm = form) {
  const body = new URLSearchParams(signedForm).toString();
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64');
  return signedRequest(
    URL,
    { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp },
    form,
  );
}

describe("Telnyx's signature", () => {
  it('is good for five minutes on either side', () => {
    for (const seconds of [0, -299, 299]) {
      expect(() => telnyxSignature.verify(request(`${NOW_S + seconds}`), SECRET)).not.toThrow();
    }
    for (const seconds of [-301, 301, -86_400]) {
      expect(() => telnyxSignature.verify(request(`${NOW_S + seconds}`), SECRET)).toThrow(refused);
    }
  });

  it('is refused for another body, time or account', () => {
    const changed = request(`${NOW_S}`, CALL_FORM, { ...CALL_FORM, From: '+1' });
    expect(() => telnyxSignature.verify(changed, SECRET)).toThrow(refused);
    const good = request(`${NOW_S}`);
    const later = { ...good, headers: { ...good.headers, 'telnyx-timestamp': `${NOW_S + 1}` } };
    expect(() => telnyxSignature.verify(later, SECRET)).toThrow(refused);
    const other = generateKeyPairSync('ed25519').publicKey;
    const otherSecret = other.export({ format: 'der', type: 'spki' }).subarray(-32);
    for (const secret of [otherSecret.toString('base64'), '', 'no key', SECRET.slice(4)]) {
      expect(() => telnyxSignature.verify(good, secret)).toThrow(refused);
    }
  });

  it('is refused when its headers are missing or nonsense', () => {
    const good = request(`${NOW_S}`);
    for (const headers of [
      {},
      { 'telnyx-signature-ed25519': good.headers['telnyx-signature-ed25519'] },
      { ...good.headers, 'telnyx-timestamp': 'now' },
      { ...good.headers, 'telnyx-timestamp': `-${NOW_S}` },
      { ...good.headers, 'telnyx-signature-ed25519': '!!' },
    ]) {
      expect(() => telnyxSignature.verify({ ...good, headers }, SECRET)).toThrow(refused);
    }
  });

  it('is good once, where requests are remembered', () => {
    const spent = new SpentNonces();
    const good = request(`${NOW_S}`);
    telnyxSignature.verify(good, SECRET, spent);
    expect(() => telnyxSignature.verify(good, SECRET, spent)).toThrow(refused);
    // Base64 can be written in more than one way.
    const padded = `${good.headers['telnyx-signature-ed25519']}=`;
    const again = { ...good, headers: { ...good.headers, 'telnyx-signature-ed25519': padded } };
    expect(() => telnyxSignature.verify(again, SECRET, spent)).toThrow(refused);
    expect(() => telnyxSignature.verify(request(`${NOW_S + 1}`), SECRET, spent)).not.toThrow();
  });
});
