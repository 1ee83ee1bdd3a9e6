import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** What is signed: these very bytes are sent. */
export interface SignedContent {
  readonly secret: string;
  readonly eventId: string;
  readonly body: string;
  /** Seconds since 1970, of this attempt. */
  readonly timestampS: number;
}

/** A new signing secret, `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
export function generateSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers that prove a delivery, in both forms at once. The two differ in the key as well: the
 * first takes the secret as text, prefix included, the second the bytes that its base64 stands for.
 *
 * @see PROTOCOL §3.9; Standard Webhooks 1.0, "Signature scheme".
 */
export function signatureHeaders(content: SignedContent): Readonly<Record<string, string>> {
  const { secret, eventId, body, timestampS } = content;
  const hex = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex');
  const base64 = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${eventId}.${timestampS}.${body}`)
    .digest('base64');
  return {
    'elevenlabs-signature': `t=${timestampS},v0=${hex}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': `v1,${base64}`,
  };
}
