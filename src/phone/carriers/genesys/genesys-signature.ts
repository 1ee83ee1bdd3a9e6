import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SpeechError } from '../../../domain/errors.ts';
import type { SpentNonces } from '../spent-nonces.ts';
import { parseSignature, parseSignatureInput, type SignatureInput } from './signature-input.ts';

/** How far Genesys's clock and ours may be apart; its reference implementation grants 3. */
const CLOCK_SKEW_S = 10;
/** Signatures are made for the one request that carries them. */
const MAX_AGE_S = 60;
/** 16 bytes in Base64. */
const MIN_NONCE_LENGTH = 22;

/** What must be signed (AudioHook protocol, "Signed requests"). */
const REQUIRED_COMPONENTS = [
  '@request-target',
  '@authority',
  'audiohook-organization-id',
  'audiohook-session-id',
  'audiohook-correlation-id',
  'x-api-key',
];

export interface GenesysSignedRequest {
  readonly headers: IncomingHttpHeaders;
  /** Path and query, as they stand in the request. */
  readonly requestTarget: string;
  /** Host and port that Genesys was given to connect to; `Host` of the request unless given. */
  readonly authority?: string;
}

export interface GenesysVerification {
  /** The client secret of the integration: Base64, as it was entered there. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly spent: SpentNonces;
}

/**
 * Checks the HTTP message signature of a websocket upgrade: hmac-sha256 with the client secret,
 * over the headers that AudioHook names (RFC 9421 in its 11th draft). A signature works once.
 *
 * @throws SpeechError `invalid_signature`.
 */
export function verifyGenesysSignature(
  request: GenesysSignedRequest,
  { secret, nowMs, spent }: GenesysVerification,
): void {
  const [label, input] = parseSignatureInput(header(request, 'signature-input') ?? '') ?? [];
  const signature = parseSignature(header(request, 'signature') ?? '', label ?? '');
  if (!input || !signature) throw refusal('its Signature headers are missing or malformed');
  const { keyid, nonce, alg = 'hmac-sha256', created, expires } = input.parameters;
  if (alg !== 'hmac-sha256') throw refusal('its algorithm is not hmac-sha256');
  if (keyid !== header(request, 'x-api-key')) throw refusal('keyid is not the API key');
  if (typeof nonce !== 'string' || nonce.length < MIN_NONCE_LENGTH) {
    throw refusal('its nonce is missing or too short');
  }
  const untilMs = assertTimely(created, expires, nowMs);
  const key = Buffer.from(secret, 'base64');
  if (key.length === 0) throw refusal('the client secret of this line is not Base64');
  const expected = createHmac('sha256', key).update(signatureBase(request, input)).digest();
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw refusal('it was made with another client secret');
  }
  if (!spent.spend(nonce, untilMs, nowMs)) throw refusal('it has been used before');
}

/** @returns when the signature is too old, in milliseconds since 1970. */
function assertTimely(created: unknown, expires: unknown, nowMs: number): number {
  if (typeof created !== 'number' || (expires !== undefined && typeof expires !== 'number')) {
    throw refusal('it does not say when it was made');
  }
  const nowS = nowMs / 1000;
  const untilS = Math.min(created + MAX_AGE_S, expires ?? Number.POSITIVE_INFINITY) + CLOCK_SKEW_S;
  if (created > nowS + CLOCK_SKEW_S) throw refusal('it is from the future. Check the clock');
  if (untilS <= nowS) throw refusal('it has expired. Check the clock');
  return 1000 * untilS;
}

/** What was signed: a line a component, and how it was signed (RFC 9421 §2.5). */
function signatureBase(request: GenesysSignedRequest, input: SignatureInput): string {
  const { components, text } = input;
  const missing = REQUIRED_COMPONENTS.find((name) => !components.includes(name));
  if (missing !== undefined) throw refusal(`it does not cover ${missing}`);
  if (new Set(components).size !== components.length) throw refusal('it names a header twice');
  const lines = components.map((name) => {
    const value = componentValue(request, name);
    if (value === undefined) throw refusal(`there is no ${name}`);
    return `"${name}": ${value}`;
  });
  return [...lines, `"@signature-params": ${text}`].join('\n');
}

function componentValue(request: GenesysSignedRequest, name: string): string | undefined {
  switch (name) {
    case '@request-target':
      return request.requestTarget;
    case '@authority':
      return (request.authority ?? header(request, 'host'))?.toLowerCase();
    case '@method':
      return 'GET';
    default:
      return header(request, name);
  }
}

function header({ headers }: GenesysSignedRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.map((part) => part.trim()).join(', ') : value?.trim();
}

function refusal(problem: string): SpeechError {
  return new SpeechError(
    'invalid_signature',
    `This connection does not carry a valid Genesys signature: ${problem}.`,
  );
}
