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
 * Twilio's signature (twilio.com/docs/usage/security): Base64 of the HMAC-SHA1, under the account's
 * auth token, of the address and the form's fields. It is over the address in whichever of its
 * spellings Twilio had; an upgrade's says `wss`. Nothing in it changes from one upgrade to the next.
 */
export const twilioSignature: CarrierSignature = {
  isOnUpgrades: true,
  isUpgradeSingleUse: false,
  verify: (request, secret, spent) => {
    const given = headerText(request.headers, 'x-twilio-signature');
    if (!given) throw signatureRefusal('Twilio', 'the header X-Twilio-Signature is missing');
    assertFormBody('Twilio', request);
    if (!isTwilioSigned(request, given, secret)) {
      throw signatureRefusal(
        'Twilio',
        'it was made with another auth token, or for another address. Check the secret of the line and SIDETONE_PUBLIC_URL',
      );
    }
    spendOnce('Twilio', { nonce: given, untilMs: NEVER_MS, nowMs: request.nowMs }, spent);
  },
};

/** @param given a signature in Base64. */
export function isTwilioSigned(request: SignedRequest, given: string, secret: string): boolean {
  const fields = twilioFields(request.form);
  return urlSpellings(request.url).some((url) =>
    sameText(given, createHmac('sha1', secret).update(`${url}${fields}`).digest('base64')),
  );
}

/** Each name with its value, by name; of a name that comes more than once, each value once. */
export function twilioFields(form: SignedRequest['form']): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form) {
    const known = values.get(name) ?? new Set();
    values.set(name, known.add(value));
  }
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => `${name}${value}`))
    .join('');
}
