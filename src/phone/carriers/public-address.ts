import type { IncomingHttpHeaders } from 'node:http';
import { SpeechError } from '../../domain/errors.ts';

/** Where a request seems to have been sent to. */
export interface AddressedRequest {
  readonly headers: IncomingHttpHeaders;
  /** The other end of the connection. */
  readonly peerAddress: string | undefined;
}

export interface AddressRules {
  /** As the operator says it, without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** Who may say, in `X-Forwarded-Proto` and `X-Forwarded-Host`, what they were asked. */
  readonly isTrustedProxy: (address: string | undefined) => boolean;
  /** Whether this server speaks TLS itself. */
  readonly servesTls?: boolean;
}

const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i;

/**
 * The address under which others reach this server, such as `https://voice.example.com`.
 * @throws SpeechError `invalid_parameters` when it can only be guessed from a header that is no host.
 */
export function publicAddress(request: AddressedRequest, rules: AddressRules): string {
  if (rules.publicUrl !== undefined) return rules.publicUrl;
  const { headers, peerAddress } = request;
  const isForwarded = rules.isTrustedProxy(peerAddress);
  const host = (isForwarded && first(headers['x-forwarded-host'])) || headers.host || '';
  if (!HOST.test(host)) {
    throw new SpeechError(
      'invalid_parameters',
      'The Host header names no host. Set SIDETONE_PUBLIC_URL to the address of this server.',
      { param: 'host' },
    );
  }
  const forwarded = isForwarded ? first(headers['x-forwarded-proto']) : undefined;
  const isSecure = forwarded === undefined ? rules.servesTls : forwarded === 'https';
  return `${isSecure ? 'https' : 'http'}://${host}`;
}

/**
 * The same for websockets. Carriers connect to `wss` only; a proxy that does not say so stands in
 * front of every host but this machine itself.
 */
export function mediaAddress(address: string): string {
  const [, scheme, rest = ''] = /^(https?):\/\/(.*)$/.exec(address) ?? [];
  const [host = ''] = rest.split('/', 1);
  return `${scheme === 'http' && LOOPBACK.test(host) ? 'ws' : 'wss'}://${rest}`;
}

/** Of a list to which each proxy appends: what the client itself asked for. */
function first(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header;
  return text?.split(',', 1)[0]?.trim();
}
