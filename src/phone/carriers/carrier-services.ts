import type { Caller } from '../../domain/account.ts';
import type { Line } from '../calls/line.ts';
import type { MediaStreamHandler } from '../calls/media-stream.ts';
import type { AddressRules } from './public-address.ts';

/** What the doors for carriers need of the rest of the server. */
export interface CarrierServices extends AddressRules {
  readonly mediaStreams: MediaStreamHandler;
  readonly lines: { find(lineId: string): Line | undefined };
  /** Makes a token that opens one media stream. */
  readonly issueToken: (caller: Caller) => Promise<string>;
  /**
   * Who pays for calls of a carrier that signs.
   * @param keyId the first key of the default account unless given.
   * @throws SpeechError `authentication_required` when there is no such key.
   */
  readonly callerOfKey: (keyId: string | undefined) => Promise<Caller>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
