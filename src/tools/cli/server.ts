import { CliError, unreachable } from './cli-error.ts';

/** A running Sidetone server, and the key to call it with. */
export interface ServerAccess {
  /** Such as `http://127.0.0.1:8080`; may have a path, behind a proxy. */
  readonly url: string;
  readonly key: string | undefined;
}

export interface RestRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: object;
}

/**
 * One REST call.
 * @throws CliError with the server's own words when it refuses, and how to start it when it is not there.
 */
export async function callServer(
  server: ServerAccess,
  path: string,
  { method = 'GET', body }: RestRequest = {},
): Promise<unknown> {
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      accept: 'application/json',
      ...authentication(server),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw unreachable(server.url, cause);
  });
  const content = await reply.json().catch(() => undefined);
  if (reply.ok && content !== undefined) return content;
  throw new CliError(refusalText(content, server, reply.status), 'failed');
}

export function authentication({ key }: ServerAccess): Record<string, string> {
  return key === undefined ? {} : { 'xi-api-key': key };
}

/** @param content body of an error reply: `detail` with a message, or a list of what is wrong. */
export function refusalText(content: unknown, server: ServerAccess, status: number): string {
  const detail = (content as { detail?: WireDetail } | undefined)?.detail;
  const problems = Array.isArray(detail) ? detail : [detail];
  const text = problems
    .map((problem) => problem?.message ?? problem?.msg)
    .filter(Boolean)
    .join(' ');
  if (text === '') return `${server.url} answered with status ${status}, and not as Sidetone does.`;
  return status === 401 ? `${text}${keyAdvice(server)}` : text;
}

export function keyAdvice({ key }: ServerAccess): string {
  return key === undefined ? ' (Here: with --key or SIDETONE_API_KEY.)' : '';
}

type WireProblem = { readonly message?: string; readonly msg?: string };
type WireDetail = WireProblem | readonly WireProblem[];
