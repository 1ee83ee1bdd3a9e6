import type { FastifyRequest } from 'fastify';
import { requestCredentials } from '../../api/identity/key-places.ts';
import type { Caller, Credentials } from '../../domain/account.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { Carrier } from '../calls/carrier.ts';
import type { Line } from '../calls/line.ts';
import type { AdmittedCall } from '../calls/media-stream.ts';
import type { CarrierServices } from './carrier-services.ts';
import { followUpToken } from './follow-up-token.ts';
import { mediaAddress, publicAddress } from './public-address.ts';
import { SIGNATURES } from './signatures.ts';
import { type CarrierSignature, type SignedRequest, signatureRefusal } from './signed-request.ts';
import { SpentNonces } from './spent-nonces.ts';

export interface CarrierRequest extends FastifyRequest {
  readonly params: { readonly line: string; readonly carrier: string };
  readonly query: Readonly<Record<string, unknown>>;
}

/** What came in the body of a request for a document. */
export type SignedBody = Pick<SignedRequest, 'body' | 'form'>;

/**
 * Lets carriers in. On a line that has a secret of the carrier, every request that the carrier signs
 * must carry its signature, and the line's key pays. What a carrier does not sign, or signs in a way
 * that a recording of it would pass as well, must show a token from a call set-up document, or an
 * API key.
 */
export class CarrierAuthenticator {
  readonly #services: CarrierServices;
  readonly #spent = new SpentNonces();

  constructor(services: CarrierServices) {
    this.#services = services;
  }

  /**
   * Checks the upgrade of a media stream.
   * @returns whether it is let in by that alone, without a token or a key.
   * @throws SpeechError `invalid_signature`.
   */
  upgrade(request: CarrierRequest, line: Line, carrier: Carrier): boolean {
    const secret = line.secrets[carrier.name];
    if (secret === undefined) return false;
    const signature = signatureOf(carrier);
    if (!signature.isOnUpgrades) return false;
    const address = mediaAddress(this.address(request));
    const body = { body: new Uint8Array(), form: [] };
    const spent = signature.isUpgradeSingleUse ? this.#spent : undefined;
    signature.verify(this.#signed(request, { carrier, address, body }), secret, spent);
    return signature.isUpgradeSingleUse;
  }

  /**
   * Who pays for a media stream whose upgrade has been checked. The token of a call set-up document
   * also tells what the carrier will ask with what follows.
   * @param isProven what `upgrade` returned.
   * @throws SpeechError `authentication_required`, `invalid_api_key` and others.
   */
  async stream(
    request: CarrierRequest,
    line: Line,
    stream: { readonly isProven: boolean; readonly credentials: Credentials },
  ): Promise<AdmittedCall> {
    const token = stream.credentials.token ?? requestCredentials(request, 'carrier').token;
    const named = token === undefined ? {} : { followUpToken: followUpToken(token) };
    const caller = await (stream.isProven
      ? this.#payer(request, line)
      : request.identify(stream.credentials));
    return { caller, ...named };
  }

  /**
   * Checks the key of a request for a document, where the line has no secret of the carrier to check
   * a signature with. To be called before the body is read.
   * @throws SpeechError `authentication_required`, `invalid_api_key` and others.
   */
  async key(request: CarrierRequest, line: Line, carrier: Carrier): Promise<void> {
    if (line.secrets[carrier.name] === undefined) await request.identify();
  }

  /**
   * Who pays for a call whose carrier asks what to do with it.
   * @param isAnsweredOnce whether the same signed request is refused the second time.
   * @throws SpeechError `invalid_signature`, `authentication_required`, `invalid_api_key` and others.
   */
  async document(
    request: CarrierRequest,
    { line, carrier }: { readonly line: Line; readonly carrier: Carrier },
    body: SignedBody,
    isAnsweredOnce: boolean,
  ): Promise<Caller> {
    const secret = line.secrets[carrier.name];
    if (secret === undefined) return request.identify();
    const signed = this.#signed(request, { carrier, address: this.address(request), body });
    signatureOf(carrier).verify(signed, secret, isAnsweredOnce ? this.#spent : undefined);
    return this.#payer(request, line);
  }

  /** The address under which carriers reach this server. */
  address(request: FastifyRequest): string {
    const peerAddress = request.socket.remoteAddress;
    return publicAddress({ headers: request.headers, peerAddress }, this.#services);
  }

  /** Of what is signed. */
  async #payer(request: FastifyRequest, line: Line): Promise<Caller> {
    const caller = await this.#services.callerOfKey(line.keyId);
    request.vouch(caller);
    return caller;
  }

  /** @throws SpeechError `invalid_signature` for a fragment: the router reads it, and nobody signs it. */
  #signed(
    request: FastifyRequest,
    {
      carrier,
      address,
      body,
    }: { readonly carrier: Carrier; readonly address: string; readonly body: SignedBody },
  ): SignedRequest {
    const { method, headers, url } = request;
    if (url.includes('#')) throw signatureRefusal(carrier.name, 'its address has a fragment');
    return { method, headers, url: `${address}${url}`, ...body, nowMs: this.#services.now() };
  }
}

/** @throws SpeechError `invalid_signature` for a carrier that cannot sign. */
function signatureOf(carrier: Carrier): CarrierSignature {
  const signature = SIGNATURES[carrier.name];
  if (signature) return signature;
  throw new SpeechError(
    'invalid_signature',
    `The line has a secret for ${carrier.name}, which does not sign what it sends. Take it out, and let the stream carry an API key.`,
  );
}
