import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/account.ts';
import type { Line } from '../calls/line.ts';
import type { CallDesk } from '../calls/media-stream.ts';
import type { AddressRules } from './public-address.ts';

/** What the doors for carriers need of the rest of the server. */
export interface CarrierServices extends AddressRules {
  readonly desk: CallDesk;
  readonly lines: { find(lineId: string): Line | undefined };
  /** @throws SpeechError `authentication_required`, `invalid_api_key` and others. */
  readonly authenticate: (request: FastifyRequest, key: string | undefined) => Promise<Caller>;
  /** Makes a token that opens one media stream. */
  readonly issueToken: (caller: Caller) => Promise<string>;
  /** Uses such a token up. @throws SpeechError `invalid_api_key`. */
  readonly redeem: (token: string) => Promise<Caller>;
  /**
   * Who pays for calls of a carrier that signs.
   * @param keyId the first key of the default account unless given.
   * @throws SpeechError `authentication_required` when there is no such key.
   */
  readonly callerOfKey: (keyId: string | undefined) => Promise<Caller>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
