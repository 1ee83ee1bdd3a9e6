import { isIP } from 'node:net';
import type { AddressList } from './address-list.ts';

/** Where a request seems to come from. */
export interface RequestRoute {
  /** The other end of the connection. */
  readonly peerAddress: string | undefined;
  /** The header `X-Forwarded-For`, as it came. */
  readonly forwardedFor: string | undefined;
}

/**
 * The address of the client that made a request. `X-Forwarded-For` is read from its end, since each proxy
 * appends whom it got the request from, and only for as long as the proxies are trusted: everything
 * before that may have been written by the caller.
 *
 * @returns undefined when the proxies do not tell.
 */
export function clientAddress(route: RequestRoute, trusted: AddressList): string | undefined {
  const hops = (route.forwardedFor ?? '').split(',').filter((hop) => hop.trim() !== '');
  let address = bareAddress(route.peerAddress ?? '');
  while (address !== undefined && hops.length > 0 && trusted.has(address)) {
    address = bareAddress(hops.pop() ?? '');
  }
  return address;
}

/** Without the port that some proxies add, the brackets of IPv6, and the zone of a link-local one. */
function bareAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const [, withPort] = /^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? withPort ?? text.trim()).split('%');
  return isIP(address) === 0 ? undefined : address;
}
