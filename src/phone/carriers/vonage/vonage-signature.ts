import { createHash, createHmac, timingSafeEqual, verify } from 'node:crypto';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { SpeechError } from '../../../domain/errors.ts';
import type { SpentNonces } from '../spent-nonces.ts';

/** How far Vonage's clock and ours may be apart. */
const CLOCK_SKEW_S = 60;
/** Tokens without an expiry count as expired at this age: Vonage gives webhooks five minutes. */
const MAX_AGE_S = 300;

const HeaderSchema = Compile(Type.Object({ alg: Type.String() }));
const seconds = Type.Number({ minimum: 0, maximum: 1e11 });
const claims = Type.Object({
  iat: seconds,
  exp: Type.Optional(seconds),
  nbf: Type.Optional(seconds),
  jti: Type.Optional(Type.String({ maxLength: 256 })),
  payload_hash: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
});
const ClaimsSchema = Compile(claims);
type Claims = Type.Static<typeof claims>;

export interface VonageSignedRequest {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** The body as it came; undefined for requests without one, such as the upgrade of a websocket. */
  readonly body?: Uint8Array;
}

export interface VonageVerification {
  /** The account's signature secret, or an application's public key in PEM form. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Refuses a token that has been used; without it, tokens work until they expire. */
  readonly spent?: SpentNonces;
}

/**
 * Checks the token with which Vonage signs webhooks, and websockets whose endpoint in the call
 * set-up document says `"authorization": {"type": "vonage"}`: HS256 with the signature secret
 * (developer.vonage.com, "Signed webhooks"). With a public key as secret, RS256; which of the two is
 * never left to the token.
 *
 * @throws SpeechError `invalid_signature`.
 */
export function verifyVonageSignature(
  { authorization, body }: VonageSignedRequest,
  { secret, nowMs, spent }: VonageVerification,
): void {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    throw refusal('there is no token in the Authorization header. Turn signed webhooks on');
  }
  const claims = signedClaims(token, secret);
  const expiresAtS = claims.exp ?? claims.iat + MAX_AGE_S;
  assertTimely(Math.max(claims.iat, claims.nbf ?? 0), expiresAtS, nowMs / 1000);
  assertUnchanged(body, claims.payload_hash);
  const untilMs = 1000 * (expiresAtS + CLOCK_SKEW_S);
  if (spent && !spent.spend(claims.jti ?? token, untilMs, nowMs)) {
    throw refusal('the token has been used before');
  }
}

/** The claims of a token whose signature is right. */
function signedClaims(token: string, secret: string): Claims {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const signed = `${header}.${payload}`;
  const isSigned = secret.includes('-----BEGIN PUBLIC KEY-----')
    ? algorithmOf(header) === 'RS256' && isRsaSigned(signed, signature, secret)
    : algorithmOf(header) === 'HS256' && isHmacSigned(signed, signature, secret);
  if (!isSigned || rest.length > 0) {
    throw refusal('the token was signed with another secret. Check the signature secret');
  }
  const claims: unknown = decoded(payload);
  if (!ClaimsSchema.Check(claims)) throw refusal('the token does not say when it was made');
  return claims;
}

function assertUnchanged(body: Uint8Array | undefined, payloadHash: string | undefined): void {
  if (body === undefined) return;
  if (payloadHash === undefined) throw refusal('the token does not cover the body');
  const hash = createHash('sha256').update(body).digest('hex');
  if (hash !== payloadHash.toLowerCase()) throw refusal('the body was changed on its way');
}

function assertTimely(madeAtS: number, expiresAtS: number, nowS: number): void {
  if (madeAtS > nowS + CLOCK_SKEW_S) throw refusal('the token is from the future. Check the clock');
  if (expiresAtS < nowS - CLOCK_SKEW_S) throw refusal('the token has expired. Check the clock');
}

function algorithmOf(header: string): string | undefined {
  const value = decoded(header);
  return HeaderSchema.Check(value) ? value.alg : undefined;
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function isHmacSigned(text: string, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isRsaSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    return verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
  } catch {
    // A key that is no key.
    return false;
  }
}

function refusal(problem: string): SpeechError {
  return new SpeechError(
    'invalid_signature',
    `This request does not carry a valid Vonage signature: ${problem}.`,
  );
}
