import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'sk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62⁴³ is the first power of 62 above 2²⁵⁶. */
const BODY_DIGITS = 43;
/** 62⁶ is the first power of 62 above 2³². */
const CHECKSUM_DIGITS = 6;
const SECRET = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${BODY_DIGITS}})([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`,
);

/**
 * A new secret: a prefix that scanners for leaked keys can find, 256 random bits, and a checksum
 * that tells a mistyped key from an unknown one.
 */
export function generateSecret(): string {
  const body = toBase62(randomBytes(SECRET_BYTES), BODY_DIGITS);
  return `${PREFIX}${body}${checksum(body)}`;
}

/** Whether text has the form of a generated secret, checksum included. Chosen secrets may not. */
export function isGeneratedSecret(text: string): boolean {
  const [, body, end] = SECRET.exec(text) ?? [];
  return body !== undefined && checksum(body) === end;
}

/** Whether text looks like a generated secret that was cut short or mistyped. */
export function isDamagedSecret(text: string): boolean {
  return text.startsWith(PREFIX) && !isGeneratedSecret(text);
}

/**
 * SHA-256 in hexadecimal. A fast hash is right here: slow ones protect secrets that can be guessed,
 * and 256 random bits cannot.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function lastFour(secret: string): string {
  return secret.slice(-4);
}

function checksum(body: string): string {
  return toBase62(createHash('sha256').update(body).digest().subarray(0, 4), CHECKSUM_DIGITS);
}

function toBase62(bytes: Uint8Array, digits: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < digits) {
    text = ALPHABET.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}
