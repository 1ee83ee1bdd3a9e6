import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import plivo from 'plivo';
import { describe, expect, it } from 'vitest';
import { plivoSignature } from '../../../../../src/phone/carriers/plivo/plivo-signature.ts';
import { SpentNonces } from '../../../../../src/phone/carriers/spent-nonces.ts';
import { CALL_FORM, signedRequest } from '../signed-request.ts';

const TOKEN = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI';
const NONCE = '05429567804466091622';
const STREAM = 'wss://voice.example.com/v1/lines/default/plivo?token=sutkn_x&from=14155550100';
const WEBHOOK = 'https://voice.example.com/v1/lines/default/plivo/call';

const refused = expect.objectContaining({ code: 'invalid_signature' });

/** The text that is signed, written out by hand as Plivo's documents have it. */
function sign(text: string): string {
  return createHmac('sha256', TOKEN).update(`${text}.${NONCE}`).digest('base64');
}

function request(url: string, signature: string, form?: Readonly<Record<string, string>>) {
  return signedRequest(
    url,
    { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': NONCE },
    form,
  );
}

describe("Plivo's signature, version 3", () => {
  it('is good on an upgrade, whose query is sorted', () => {
    const sorted = STREAM.replace(
      'token=sutkn_x&from=14155550100',
      'from=14155550100&token=sutkn_x',
    );
    const signature = sign(sorted);
    expect(plivo.validateV3Signature('GET', STREAM, NONCE, TOKEN, signature)).toBe(true);
    expect(() => plivoSignature.verify(request(STREAM, signature), TOKEN)).not.toThrow();
    const asHttps = sign(sorted.replace('wss', 'https'));
    expect(() => plivoSignature.verify(request(STREAM, asHttps), TOKEN)).not.toThrow();
  });

  it('agrees with the official package on whatever is posted', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'aZ09_-+. ') });
    fc.assert(
      fc.property(fc.dictionary(word, word), fc.dictionary(word, word), (query, form) => {
        const search = new URLSearchParams(query).toString();
        const url = search === '' ? WEBHOOK : `${WEBHOOK}?${search}`;
        const fields = Object.entries(form);
        const verdicts = [signedText(url, query, fields), 'something else'].map((text) => {
          const signature = sign(text);
          const theirs = plivo.validateV3Signature('POST', url, NONCE, TOKEN, signature, form);
          const signed = { ...request(url, signature, form), method: 'POST' };
          return [theirs, isGood(signed)];
        });
        expect(verdicts).toEqual([
          [true, true],
          [false, false],
        ]);
      }),
      { numRuns: 100 },
    );
  });

  it('is good when it is one of two, as while an auth token is replaced', () => {
    const fields = Object.entries(CALL_FORM);
    const signature = sign(signedText(WEBHOOK, {}, fields));
    const both = `${'x'.repeat(44)}, ${signature}`;
    expect(() => plivoSignature.verify(request(WEBHOOK, both, CALL_FORM), TOKEN)).not.toThrow();
  });

  it('is refused for another address, field, nonce or token, and when it is missing', () => {
    const signature = sign(signedText(WEBHOOK, {}, Object.entries(CALL_FORM)));
    const good = request(WEBHOOK, signature, CALL_FORM);
    const headers = { ...good.headers, 'x-plivo-signature-v3-nonce': '1' };
    for (const wrong of [
      { ...good, url: WEBHOOK.replace('default', 'other') },
      { ...good, form: [] },
      { ...good, headers },
      { ...good, headers: {} },
      { ...good, headers: { 'x-plivo-signature-v3': signature } },
    ]) {
      expect(() => plivoSignature.verify(wrong, TOKEN)).toThrow(refused);
    }
    expect(() => plivoSignature.verify(good, `${TOKEN}0`)).toThrow(refused);
  });

  it.each([
    ['a second question mark', `${WEBHOOK}?a=1`, `${WEBHOOK}?a=1?&format=pcm_8000`, 'a=1'],
    ['an encoded delimiter', `${WEBHOOK}?a=1&b=2`, `${WEBHOOK}?a=1%26b%3D2`, 'a=1&b=2'],
    ['an encoded delimiter in a name', `${WEBHOOK}?a=1=2`, `${WEBHOOK}?a%3D1=2`, 'a=1=2'],
    ['another order of a name', `${WEBHOOK}?a=1&a=2`, `${WEBHOOK}?a=2&a=1`, 'a=1&a=2'],
  ])('is refused for %s, which the text that is signed does not tell', (_, signed, sent, query) => {
    const signature = sign(`${WEBHOOK}?${query}`);
    if (!signed.includes('a=1&a=2')) {
      expect(() => plivoSignature.verify(request(signed, signature), TOKEN)).not.toThrow();
    }
    expect(() => plivoSignature.verify(request(sent, signature), TOKEN)).toThrow(refused);
  });

  it('is refused for a body that is no form, which it does not cover', () => {
    const good = request(WEBHOOK, sign(WEBHOOK));
    const body = Buffer.from('{"From":"+19005550100"}');
    expect(() => plivoSignature.verify({ ...good, method: 'POST' }, TOKEN)).not.toThrow();
    expect(() => plivoSignature.verify({ ...good, method: 'POST', body }, TOKEN)).toThrow(refused);
  });

  it('is good once, where requests are remembered', () => {
    const spent = new SpentNonces();
    const signature = sign(signedText(WEBHOOK, {}, Object.entries(CALL_FORM)));
    const good = request(WEBHOOK, signature, CALL_FORM);
    plivoSignature.verify(good, TOKEN, spent);
    expect(() => plivoSignature.verify(good, TOKEN, spent)).toThrow(refused);
  });
});

function isGood(signed: Parameters<typeof plivoSignature.verify>[0]): boolean {
  try {
    plivoSignature.verify(signed, TOKEN);
    return true;
  } catch {
    return false;
  }
}

function signedText(
  url: string,
  query: Readonly<Record<string, string>>,
  fields: ReadonlyArray<readonly [string, string]>,
): string {
  const [address = ''] = url.split('?', 1);
  const sorted = [...Object.keys(query)].sort().map((name) => `${name}=${query[name]}`);
  const posted = [...fields]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}${value}`)
    .join('');
  if (posted === '') return sorted.length === 0 ? address : `${address}?${sorted.join('&')}`;
  return `${address}?${sorted.join('&')}${sorted.length === 0 ? '' : '.'}${posted}`;
}
