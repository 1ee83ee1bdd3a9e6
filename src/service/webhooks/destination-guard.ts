import { isIP } from 'node:net';
import { AddressList, isAddressRange } from '../account/address-list.ts';
import { isPublicAddress } from './public-addresses.ts';

/** Where receivers listen on the internet; services that speak something else do not. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  'https:': ['', '8443'],
  'http:': ['', '8080'],
};

/** What the operator allows beyond public receivers over https. */
export interface DestinationRules {
  /** Host names, addresses and networks in CIDR form that may be called although they are private. */
  readonly allow: readonly string[];
  readonly allowHttp: boolean;
}

/** The operator's rules cannot be read. The message names the entry that is wrong. */
export class DestinationRulesError extends Error {
  constructor(entry: string) {
    super(
      `SIDETONE_WEBHOOK_ALLOW must list host names, addresses and networks such as 10.0.0.0/8, separated by commas, not "${entry}".`,
    );
    this.name = 'DestinationRulesError';
  }
}

/** A webhook may not go there. The message says why, and never repeats an address that was looked up. */
export class DestinationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DestinationError';
  }
}

/**
 * Keeps webhooks from reaching into networks that their owners could not reach themselves
 * (server-side request forgery). To be asked three times: when a URL is given, for the addresses
 * that its name resolves to, and for the address that a socket is connected to in the end.
 */
export class DestinationGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #networks: AddressList;
  readonly #allowHttp: boolean;

  /** @throws DestinationRulesError that names an entry which is no host, address or network. */
  constructor({ allow, allowHttp }: DestinationRules) {
    const isRange = (entry: string) => isIP(entry) !== 0 || entry.includes('/');
    const hosts = allow.filter((entry) => !isRange(entry)).map(normalHost);
    const bad = hosts.find((host) => !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host));
    if (bad !== undefined) throw new DestinationRulesError(bad);
    this.#hosts = new Set(hosts);
    const ranges = allow.filter(isRange);
    const badRange = ranges.find((range) => !isAddressRange(range));
    if (badRange !== undefined) throw new DestinationRulesError(badRange);
    this.#networks = new AddressList(ranges);
    this.#allowHttp = allowHttp;
  }

  /**
   * Checks all of a URL that can be checked without looking its host up.
   * @throws DestinationError
   */
  checkUrl(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url)
      throw new DestinationError('This is no URL. Give one such as https://example.com/hook.');
    const schemes = this.#allowHttp ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) {
      throw new DestinationError(`The URL must start with ${schemes.join('// or ')}//.`);
    }
    if (url.username !== '' || url.password !== '') {
      throw new DestinationError(
        'The URL must not carry a user name or password; use request_headers for credentials.',
      );
    }
    this.#checkHost(url);
    return url;
  }

  /** Whether a socket for this host may be connected to this address. */
  permits(url: URL, address: string): boolean {
    return isPublicAddress(address) || this.#hosts.has(hostOf(url)) || this.#networks.has(address);
  }

  #checkHost(url: URL): void {
    const host = hostOf(url);
    const isLiteral = isIP(host) !== 0;
    if (isLiteral && !this.permits(url, host)) throw forbiddenAddress();
    const isAllowed = isLiteral ? this.#networks.has(host) : this.#hosts.has(host);
    if (isAllowed || PORTS[url.protocol]?.includes(url.port)) return;
    throw new DestinationError(
      `Port ${url.port} is not for webhooks. Use the standard port, or ask the operator to allow the host.`,
    );
  }
}

export function forbiddenAddress(): DestinationError {
  return new DestinationError(
    'The host is at an address that webhooks may not reach: it is not on the public internet. The operator can allow it.',
  );
}

/** A URL's host as the system's calls take it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return normalHost(url.hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** Upper case and a final dot make no difference to DNS. */
function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
