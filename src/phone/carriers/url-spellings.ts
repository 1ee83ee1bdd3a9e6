/** An address in its parts, none of them normalised: signatures are over the characters as sent. */
interface Address {
  readonly scheme: string;
  readonly host: string;
  /** With its colon; empty without one. */
  readonly port: string;
  readonly path: string;
  /** With its question mark; empty without one. */
  readonly query: string;
}

const STANDARD_PORTS: Readonly<Record<string, string>> = {
  http: ':80',
  ws: ':80',
  https: ':443',
  wss: ':443',
};

/**
 * The ways in which a carrier may have written one address: it is known by the proxy in front of us
 * which of `http` and `https` it was, the standard port may have been written or not, and Twilio
 * adds a slash to the address of a websocket, which not every server sees.
 *
 * @param url absolute.
 */
export function urlSpellings(url: string): readonly string[] {
  const address = split(url);
  if (!address) return [url];
  const { scheme, host, port, path, query } = address;
  const schemes = scheme.startsWith('ws') ? ['wss', 'ws', 'https'] : ['https', 'http'];
  const spellings = schemes.flatMap((spelt) => {
    const standard = STANDARD_PORTS[spelt] ?? '';
    return [...new Set([port, '', standard])].flatMap((speltPort) =>
      slashes(path).map((speltPath) => `${spelt}://${host}${speltPort}${speltPath}${query}`),
    );
  });
  return [url, ...spellings];
}

function split(url: string): Address | undefined {
  const match = /^([a-z]+):\/\/(\[[^\]]+\]|[^/:?#]*)(:\d+)?([^?#]*)(\?[^#]*)?/i.exec(url);
  if (!match) return undefined;
  const [, scheme = '', host = '', port = '', path = '', query = ''] = match;
  return { scheme: scheme.toLowerCase(), host, port, path, query };
}

function slashes(path: string): readonly string[] {
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`];
}
