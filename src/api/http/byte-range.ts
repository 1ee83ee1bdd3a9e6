import type { ByteRange } from '../../domain/byte-range.ts';

/**
 * The one range that a `Range` header asks for (RFC 9110 §14.1.2).
 *
 * @param size of the whole, in bytes.
 * @returns undefined when the whole is to be sent: no header, several ranges, or one that cannot be
 * read; `unsatisfiable` when the range lies outside.
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? 'unsatisfiable' : { start, end };
}
