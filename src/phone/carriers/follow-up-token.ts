import { createHash } from 'node:crypto';

/**
 * The token that a carrier asks with what follows a call. It is made of the token that opens the
 * call's stream, so that the document and the stream both know it without anything being kept for
 * hours, and it does not tell that token.
 */
export function followUpToken(streamToken: string): string {
  return createHash('sha256').update(`follow-up ${streamToken}`).digest('base64url');
}
