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
import { isTwilioSigned, twilioFields } from '../twilio/twilio-signature.ts';
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
        isSignedAsTwilio(request, given ?? '', secret);
    if (!isSigned) {
      throw signatureRefusal(
        'SignalWire',
        'it was made with another signing key, or for another address. Check the secret of the line and SIDETONE_PUBLIC_URL',
      );
    }
    // Of what was signed, not of the signature: one request has several. Twilio's kind joins the
    // fields of a form without saying where each ends, so that several forms share a signature.
    const { pathname, search } = new URL(request.url);
    const fields = request.form.length > 0 ? twilioFields(request.form) : request.body;
    const nonce = createHash('sha256')
      .update(`${pathname}${search}\n`)
      .update(fields)
      .digest('hex');
    spendOnce('SignalWire', { nonce, untilMs: NEVER_MS, nowMs: request.nowMs }, spent);
  },
};

/** Twilio's kind does not cover a body that is no form. */
function isSignedAsTwilio(request: SignedRequest, given: string, secret: string): boolean {
  const isCovered = request.body.length === 0 || request.form.length > 0;
  return isCovered && isTwilioSigned(request, given, secret);
}

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
