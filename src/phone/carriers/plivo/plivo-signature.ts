import { createHmac } from 'node:crypto';
import {
  assertFormBody,
  type CarrierSignature,
  headerText,
  NEVER_MS,
  type SignedRequest,
  sameText,
  signatureRefusal,
  spendOnce,
} from '../signed-request.ts';
import { urlSpellings } from '../url-spellings.ts';

/**
 * Plivo's signature, version 3 (plivo.com/docs/voice/concepts/signature-validation): Base64 of the
 * HMAC-SHA256, under the account's auth token, of the address with its query sorted, the form's
 * fields, and a nonce. A nonce does not tell its age: what was recorded works until a token says no.
 */
export const plivoSignature: CarrierSignature = {
  isOnUpgrades: true,
  isUpgradeSingleUse: false,
  verify: (request, secret, spent) => {
    const given = headerText(request.headers, 'x-plivo-signature-v3');
    const nonce = headerText(request.headers, 'x-plivo-signature-v3-nonce');
    if (!given || !nonce) {
      throw signatureRefusal(
        'Plivo',
        'the headers X-Plivo-Signature-V3 and X-Plivo-Signature-V3-Nonce are missing',
      );
    }
    assertFormBody('Plivo', request);
    assertPlainQuery(queryOf(request.url));
    const isSigned = urlSpellings(request.url).some((url) => {
      const text = `${signedText(url, request)}.${nonce}`;
      const expected = createHmac('sha256', secret).update(text).digest('base64');
      // While an auth token is replaced there are two.
      return given.split(',').some((one) => sameText(one.trim(), expected));
    });
    if (!isSigned) {
      throw signatureRefusal(
        'Plivo',
        'it was made with another auth token, or for another address. Check the secret of the line and SIDETONE_PUBLIC_URL',
      );
    }
    spendOnce('Plivo', { nonce, untilMs: NEVER_MS, nowMs: request.nowMs }, spent);
  },
};

function signedText(url: string, { method, form }: SignedRequest): string {
  const [address = ''] = url.split('?', 1);
  const fields = method === 'GET' ? '' : signedFields(form);
  const sorted = sortedPairs(queryOf(url))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  if (fields === '') return sorted === '' ? address : `${address}?${sorted}`;
  return `${address}?${sorted}${sorted === '' ? '' : '.'}${fields}`;
}

/** All that follows the first question mark, where another one is a character like any. */
function queryOf(url: string): ReadonlyArray<readonly [string, string]> {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
}

/**
 * Plivo signs the query decoded and sorted. Other queries have the same signature when a delimiter
 * was encoded in this one, or a name comes twice.
 * @throws SpeechError `invalid_signature`.
 */
function assertPlainQuery(query: ReadonlyArray<readonly [string, string]>): void {
  const names = query.map(([name]) => name);
  const hasDelimiter = query.some(([name, value]) => /[=&]/.test(name) || value.includes('&'));
  if (!hasDelimiter && new Set(names).size === names.length) return;
  throw signatureRefusal(
    'Plivo',
    'its query has a name twice, or an encoded delimiter, so that the signature fits other queries as well',
  );
}

function signedFields(form: SignedRequest['form']): string {
  return sortedPairs(form)
    .map(([name, value]) => `${name}${value}`)
    .join('');
}

/** By name, then by value. */
function sortedPairs(
  pairs: ReadonlyArray<readonly [string, string]>,
): ReadonlyArray<readonly [string, string]> {
  return [...pairs].sort(([name, value], [otherName, otherValue]) =>
    name === otherName ? order(value, otherValue) : order(name, otherName),
  );
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
