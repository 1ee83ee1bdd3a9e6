import type { CallTarget } from '../desk-phone/place-call.ts';
import { CliError } from './cli-error.ts';
import { callServer, type ServerAccess } from './server.ts';

/** Where a call goes, and what lets it in. */
export interface CallAddress {
  readonly url: URL;
  readonly apiKey: string | undefined;
  /** The id that a call over AudioSocket was announced under. */
  readonly callId: string | undefined;
}

interface CalledLine {
  readonly carrier: CallTarget['carrier'];
  readonly line: string;
  readonly from?: string;
  readonly to?: string;
  readonly format?: string;
  readonly param: Readonly<Record<string, string>>;
}

/** Options of the whole program. */
interface Globals {
  readonly url?: string;
  readonly key?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const MEDIA_PROTOCOLS = ['ws:', 'wss:', 'tcp:'];

/**
 * The media address itself, if --url is one, and the carrier's address on a Sidetone server if not.
 *
 * @throws CliError for an address that is none.
 */
export async function callAddress(
  called: CalledLine,
  { url: given, key }: Globals,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CallAddress> {
  const text = given ?? (environment['SIDETONE_URL'] || DEFAULT_URL);
  const apiKey = key ?? (environment['SIDETONE_API_KEY'] || undefined);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && MEDIA_PROTOCOLS.includes(url.protocol)) return { url, apiKey, callId: undefined };
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new CliError(
      `"${text}" is neither the address of a server, such as ${DEFAULT_URL}, nor of its media, such as wss://host/path.`,
      'usage',
    );
  }
  const server: ServerAccess = { url: text.replace(/\/+$/, ''), key: apiKey };
  if (called.carrier === 'audiosocket') {
    return audioSocketAddress(server, url.hostname, called, environment);
  }
  const base = server.url.replace(/^http/, 'ws');
  const line = encodeURIComponent(called.line);
  return { url: new URL(`${base}/v1/lines/${line}/${called.carrier}`), apiKey, callId: undefined };
}

/** A call over AudioSocket has nothing but an id, so that the server must be told of it before. */
async function audioSocketAddress(
  server: ServerAccess,
  host: string,
  { line, from, to, format, param }: CalledLine,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CallAddress> {
  const port = environment['SIDETONE_AUDIOSOCKET_PORT'];
  if (!port) {
    throw new CliError(
      'Set SIDETONE_AUDIOSOCKET_PORT to the port that the server listens on for AudioSocket, or give --url tcp://host:port.',
      'usage',
    );
  }
  const [, rate = '8000'] = /^pcm_(\d+)$/.exec(format ?? '') ?? [];
  const query = new URLSearchParams({
    ...param,
    rate,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
  const path = `/v1/lines/${encodeURIComponent(line)}/audiosocket/call?${query}`;
  const reply = (await callServer(server, path)) as { readonly uuid?: string };
  if (reply.uuid === undefined) throw new CliError('The server announced no call.', 'failed');
  return { url: new URL(`tcp://${host}:${port}`), apiKey: server.key, callId: reply.uuid };
}
