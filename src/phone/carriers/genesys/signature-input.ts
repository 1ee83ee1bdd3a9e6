/** What a signature covers, and how it was made: one member of the header `Signature-Input`. */
export interface SignatureInput {
  /** Names of header fields, and of parts of the request that begin with @. */
  readonly components: readonly string[];
  readonly parameters: Readonly<Record<string, string | number>>;
  /** The member's value as it came, which is itself signed. */
  readonly text: string;
}

const STRING = '"([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*)"';
const LIST = new RegExp(`^\\(((?: *${STRING})*) *\\)`);
const PARAMETER = new RegExp(`^ *; *([a-z*][a-z0-9_.*-]*)=(?:${STRING}|(\\d{1,15}))`);
const MAX_LENGTH = 4096;

/**
 * Reads the first member of `Signature-Input` (RFC 9421 §4.1, RFC 8941). Strings with escapes and
 * components with parameters of their own are refused: AudioHook has neither.
 *
 * @returns the label and its member; undefined for anything else than one whole member.
 */
export function parseSignatureInput(
  header: string,
): readonly [label: string, input: SignatureInput] | undefined {
  const [, label, text] = /^\s*([a-z*][a-z0-9_.*-]*)=(.*?)\s*$/s.exec(header) ?? [];
  if (label === undefined || text === undefined || header.length > MAX_LENGTH) return undefined;
  const list = LIST.exec(text);
  if (!list) return undefined;
  const components = Array.from((list[1] ?? '').matchAll(new RegExp(STRING, 'g')), ([, name]) =>
    String(name),
  );
  const parameters: Record<string, string | number> = {};
  let rest = text.slice(list[0].length);
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    if (!parameter) return undefined;
    const [whole, name = '', string, number] = parameter;
    parameters[name] = string ?? Number(number);
    rest = rest.slice(whole.length);
  }
  return [label, { components, parameters, text }];
}

/** The signature of a label in the header `Signature`: bytes between colons (RFC 8941 §3.3.5). */
export function parseSignature(header: string, label: string): Uint8Array | undefined {
  const [, found, bytes] = /^\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):\s*$/.exec(header) ?? [];
  return found === label && bytes !== undefined ? Buffer.from(bytes, 'base64') : undefined;
}
