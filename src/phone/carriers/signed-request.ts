import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SpeechError } from '../../domain/errors.ts';
import type { SpentNonces } from './spent-nonces.ts';

/** A request of a carrier, as far as carriers sign it. */
export interface SignedRequest {
  readonly method: string;
  /** Its address as the carrier had it, as well as can be told; with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came; empty for an upgrade. */
  readonly body: Uint8Array;
  /** Fields of a form in the body, in their order; empty for anything else. */
  readonly form: ReadonlyArray<readonly [name: string, value: string]>;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** How one carrier signs. */
export interface CarrierSignature {
  /** Whether it signs the upgrade of a media stream, and not only the requests of its webhooks. */
  readonly isOnUpgrades: boolean;
  /**
   * Whether a signed upgrade works once at most by itself. Where it does not, because what is signed
   * is always the same, a token or a key must come with the stream besides.
   */
  readonly isUpgradeSingleUse: boolean;
  /**
   * @param secret as the line has it.
   * @param spent refuses a request that it has seen; without it, a request may come again.
   * @throws SpeechError `invalid_signature`.
   */
  verify(request: SignedRequest, secret: string, spent?: SpentNonces): void;
}

/**
 * For signatures that cover the fields of a form and no other body: what else came would be believed
 * without having been signed.
 * @throws SpeechError `invalid_signature`.
 */
export function assertFormBody(carrier: string, { body, form }: SignedRequest): void {
  if (body.length === 0 || form.length > 0) return;
  throw signatureRefusal(carrier, 'its body is not a form, and so it is not signed');
}

/** Of signatures that do not tell their age: as long as there is room for them. */
export const NEVER_MS = Number.POSITIVE_INFINITY;

/** @throws SpeechError `invalid_signature` when it is not the first use. */
export function spendOnce(
  carrier: string,
  use: { readonly nonce: string; readonly untilMs: number; readonly nowMs: number },
  spent: SpentNonces | undefined,
): void {
  if (!spent || spent.spend(`${carrier} ${use.nonce}`, use.untilMs, use.nowMs)) return;
  throw signatureRefusal(carrier, 'the same request has been answered before');
}

/** @param problem completes "This request does not carry a valid CARRIER signature: …". */
export function signatureRefusal(carrier: string, problem: string): SpeechError {
  return new SpeechError(
    'invalid_signature',
    `This request does not carry a valid ${carrier} signature: ${problem}.`,
  );
}

export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** Takes the same time wherever two texts of the same length differ. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
