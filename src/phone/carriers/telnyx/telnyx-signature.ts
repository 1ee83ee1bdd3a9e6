import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type CarrierSignature,
  headerText,
  signatureRefusal,
  spendOnce,
} from '../signed-request.ts';

/** How old a request may be, and how far the clocks may be apart. */
const TOLERANCE_MS = 5 * 60_000;
/** What stands before the 32 bytes of an Ed25519 key in its usual wrapping (RFC 8410). */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Telnyx's signature (developers.telnyx.com, "Webhook fundamentals"): Ed25519 over the time and the
 * raw body. The line's secret is the public key of the account. Media streams come without one.
 */
export const telnyxSignature: CarrierSignature = {
  isOnUpgrades: false,
  isUpgradeSingleUse: false,
  verify: ({ headers, body, nowMs }, secret, spent) => {
    const signature = headerText(headers, 'telnyx-signature-ed25519');
    const timestamp = headerText(headers, 'telnyx-timestamp');
    if (!signature || !timestamp) {
      throw signatureRefusal(
        'Telnyx',
        'the headers Telnyx-Signature-Ed25519 and Telnyx-Timestamp are missing',
      );
    }
    if (
      !/^\d{1,12}$/.test(timestamp) ||
      Math.abs(1000 * Number(timestamp) - nowMs) > TOLERANCE_MS
    ) {
      throw signatureRefusal('Telnyx', 'it is not of the last five minutes. Check the clock');
    }
    const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body]);
    const key = publicKey(secret);
    if (!key || !verify(null, signed, key, Buffer.from(signature, 'base64'))) {
      throw signatureRefusal(
        'Telnyx',
        'it was made by another account. Check that the secret of the line is its public key',
      );
    }
    const nonce = createHash('sha256').update(signed).digest('hex');
    spendOnce('Telnyx', { nonce, untilMs: nowMs + 2 * TOLERANCE_MS, nowMs }, spent);
  },
};

/** @returns undefined for anything but a key, in Base64. */
function publicKey(secret: string): KeyObject | undefined {
  const raw = Buffer.from(secret, 'base64');
  if (raw.length !== 32) return undefined;
  return createPublicKey({ key: Buffer.concat([KEY_PREFIX, raw]), format: 'der', type: 'spki' });
}
