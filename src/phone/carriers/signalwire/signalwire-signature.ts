import { createHash, createHmac } from 'node:crypto';
import {
  type CarrierSignature,
  headerText,
  NEVER_MS,
  type SignedRequest,
  sameText,
  signatureRefusal,
  spendOnce,
} from '../signed-request.ts';
import { isTwilioSigned } from '../twilio/twilio-signature.ts';
import { urlSpellings } from '../url-spellings.ts';

/**
 * SignalWire's signature (signalwire.com/docs/platform/webhooks): the hexadecimal HMAC, under the
 * project's signing key, of the address and the raw body, with SHA-256 or SHA-1; cXML requests may
 * carry Twilio's kind instead, under either name.
 */
export const signalwireSignature: CarrierSignature = {
  isOnUpgrades: true,
  isUpgradeSingleUse: false,
  verify: (request, secret, spent) => {
    const strong = headerText(request.headers, 'x-signalwire-sha256-signature');
    const given =
      headerText(request.headers, 'x-signalwire-signature') ??
      headerText(request.headers, 'x-twilio-signature');
    if (!strong && !given) {
      throw signatureRefusal('SignalWire', 'the header X-SignalWire-Signature is missing');
    }
    const isSigned = strong
      ? isHexSigned(request, strong, { algorithm: 'sha256', secret })
      : isHexSigned(request, given ?? '', { algorithm: 'sha1', secret }) ||
        isTwilioSigned(request, given ?? '', secret);
    if (!isSigned) {
      throw signatureRefusal(
        'SignalWire',
        'it was made with another signing key, or for another address. Check the secret of the line and SIDETONE_PUBLIC_URL',
      );
    }
    // Of what was signed, not of the signature: one request has several.
    const { pathname, search } = new URL(request.url);
    const nonce = createHash('sha256')
      .update(`${pathname}${search}\n`)
      .update(request.body)
      .digest('hex');
    spendOnce('SignalWire', { nonce, untilMs: NEVER_MS, nowMs: request.nowMs }, spent);
  },
};

function isHexSigned(
  { url, body }: SignedRequest,
  given: string,
  { algorithm, secret }: { readonly algorithm: string; readonly secret: string },
): boolean {
  return urlSpellings(url).some((spelling) =>
    sameText(
      given.toLowerCase(),
      createHmac(algorithm, secret).update(spelling).update(body).digest('hex'),
    ),
  );
}
