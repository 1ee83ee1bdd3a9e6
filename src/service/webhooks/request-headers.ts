const MAX_HEADERS = 20;
const MAX_VALUE_LENGTH = 2_048;
/** A token, and what a field may hold of printable ASCII (RFC 9110 §5.1, §5.5). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Set by us, or about the connection and not the request (RFC 9110 §7.6.1). */
const RESERVED: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'elevenlabs-signature',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const RESERVED_PREFIXES = ['proxy-', 'webhook-'];

/**
 * What is wrong with the request headers that an owner asks for.
 *
 * @returns a sentence that says what to change; undefined when they can be sent as they are. It
 *   repeats no value, since values may be credentials.
 */
export function requestHeadersProblem(
  headers: Readonly<Record<string, string>>,
): string | undefined {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `At most ${MAX_HEADERS} request headers can be sent.`;
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) return `"${name.slice(0, 100)}" is no name of a header.`;
    if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
      return `The header ${name} is set by the service; leave it out.`;
    }
    if (seen.has(lower)) return `The header ${name} is given twice.`;
    seen.add(lower);
    if (VALUE.test(value) && value.length <= MAX_VALUE_LENGTH) continue;
    return `The value of ${name} must be at most ${MAX_VALUE_LENGTH} printable ASCII characters.`;
  }
  return undefined;
}
