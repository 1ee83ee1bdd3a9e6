/** The part of a logger's options that keeps secrets out of its lines. */
export interface LogOptions {
  readonly level: string;
  readonly redact: { readonly paths: string[]; readonly censor: string };
  readonly serializers: { readonly req: (request: LoggedRequest) => object };
  readonly formatters: {
    readonly log: (fields: Record<string, unknown>) => Record<string, unknown>;
  };
}

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
}

const SECRET_FIELDS = ['xi-api-key', 'authorization', 'single_use_token', 'apiKey', 'secret'];

/**
 * Options for the server's one pino logger. Keys also come in query strings, so a URL is logged
 * without its query wherever a library may log one; named fields are redacted one level deep too.
 */
export function logOptions(level: string): LogOptions {
  const quoted = SECRET_FIELDS.map((field) => `["${field}"]`);
  return {
    level,
    redact: { paths: quoted.flatMap((field) => [field, `*${field}`]), censor: '[redacted]' },
    serializers: { req: ({ method, url }) => ({ method, path: withoutQuery(url) }) },
    formatters: { log: withoutQueries },
  };
}

function withoutQueries(fields: Record<string, unknown>): Record<string, unknown> {
  const { path, url } = fields;
  return {
    ...fields,
    ...(typeof path === 'string' && { path: withoutQuery(path) }),
    ...(typeof url === 'string' && { url: withoutQuery(url) }),
  };
}

export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
