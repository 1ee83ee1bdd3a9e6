import { pino } from 'pino';

/** The part of a logger's options that keeps secrets out of its lines. */
export interface LogOptions {
  readonly level: string;
  readonly serializers: {
    readonly req: (request: LoggedRequest) => object;
    readonly res: (reply: { readonly statusCode: number }) => object;
    readonly err: (error: Error) => unknown;
  };
  readonly formatters: {
    readonly log: (fields: Record<string, unknown>) => Record<string, unknown>;
  };
}

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
}

const CENSOR = '[redacted]';
/** In lower case. Whole groups of fields are left out, rather than each secret found in them. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'xi-api-key',
  'xi_api_key',
  'x-api-key',
  'api_key',
  'apikey',
  'authorization',
  'cookie',
  'token',
  'single_use_token',
  'access_token',
  'secret',
  'sec-websocket-protocol',
]);
/** Fields that hold an address, of which the query may hold a key. */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['path', 'url']);
/** Deeper than this nothing is logged. */
const MAX_DEPTH = 8;

/**
 * Options for the server's one pino logger. Fields that hold secrets are redacted however deep they
 * stand; keys also come in query strings, so an address is logged without its query.
 */
export function logOptions(level: string): LogOptions {
  return {
    level,
    serializers: {
      req: ({ method, url }) => ({ method, path: withoutQuery(url) }),
      res: ({ statusCode }) => ({ status: statusCode }),
      err: (error) => redacted({ ...pino.stdSerializers.err(error) }, 0),
    },
    formatters: { log: (fields) => redacted(fields, 0) as Record<string, unknown> },
  };
}

/** A copy without secrets. What is no plain object or list is left to its serializer. */
function redacted(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    return depth < MAX_DEPTH ? value.map((entry) => redacted(entry, depth + 1)) : CENSOR;
  }
  if (!isPlain(value)) return value;
  if (depth >= MAX_DEPTH) return CENSOR;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (SECRET_FIELDS.has(name.toLowerCase())) return [name, CENSOR];
      if (ADDRESS_FIELDS.has(name) && typeof part === 'string') return [name, withoutQuery(part)];
      return [name, redacted(part, depth + 1)];
    }),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
