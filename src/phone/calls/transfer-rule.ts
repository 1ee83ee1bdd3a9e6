/** Numbers that callers may be passed on to: patterns, or any number at all. */
export type TransferRule = 'any' | readonly string[];

/** A number, an extension or a SIP address; see `matchesPattern`. */
export const TRANSFER_PATTERN =
  '^(\\+?[0-9x*#]{1,32}|sips?:[^\\s<>"\'@]{1,128}@[^\\s<>"\'@]{1,128})$';

/**
 * Whether a line lets its bot pass callers on to a number.
 *
 * @param rule of the line. Without one, only numbers pass that the operator wrote down elsewhere.
 * @param ownNumbers of the bot: those of a menu, which stand in its file.
 */
export function allowsTransfer(
  rule: TransferRule | undefined,
  to: string,
  ownNumbers: ReadonlySet<string> | undefined,
): boolean {
  if (rule === undefined) return ownNumbers?.has(to) ?? false;
  return rule === 'any' || rule.some((pattern) => matchesPattern(pattern, to));
}

/**
 * In a pattern of digits, `x` is any one digit and `*` at the end any more of them; in a SIP address,
 * `*` is any user. Everything else stands for itself, so that no parameter can be added.
 */
function matchesPattern(pattern: string, to: string): boolean {
  const isSip = /^sips?:/i.test(pattern);
  const source = isSip
    ? literal(pattern).replace(/^(sips?):\\\*@/i, '$1:[\\w.+-]+@')
    : literal(pattern).replaceAll('x', '[0-9]').replace(/\\\*$/, '[0-9]*');
  return new RegExp(`^${source}$`, isSip ? 'i' : '').test(to);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
