import type { FastifyRequest } from 'fastify';

/** A place where the server is reached. */
export interface ServerAddress {
  /** Of letters, digits, `-` and `_`. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly description: string;
}

/** A name or an address, and perhaps a port. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/** The settings that say where a server is reached. */
export interface PublishedAddresses {
  /** Without it, documents name the address that they were asked for at. */
  readonly publicUrl: string | undefined;
  readonly regions: ReadonlyArray<{ readonly name: string; readonly baseUrl: string }>;
}

/**
 * Where the server is reached, for a document: the usual address first, then that of each region.
 * @param askedUrl where the document was asked for.
 */
export function serverAddresses(
  askedUrl: string,
  { publicUrl, regions }: PublishedAddresses,
): readonly ServerAddress[] {
  return [
    { name: 'sidetone', url: publicUrl ?? askedUrl, description: 'This server.' },
    ...regions.map(({ name, baseUrl }) => ({
      name: `region-${name}`,
      url: baseUrl,
      description: `Region ${name}.`,
    })),
  ];
}

/**
 * The address that a request was sent to; callers may write anything there, and what no host is
 * called is left out. A proxy that ends TLS says so; it is asked for nothing but how to write it.
 */
export function askedUrlOf({ headers, protocol, host }: FastifyRequest): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : protocol;
  const url = `${scheme}://${host}`;
  return HOST.test(host) && URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}
