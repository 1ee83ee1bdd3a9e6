import { BlockList, isIP } from 'node:net';
import { SpeechError } from '../../domain/errors.ts';

const PREFIX_BITS = { 4: 32, 6: 128 } as const;

interface AddressRange {
  readonly address: string;
  readonly family: 4 | 6;
  readonly prefixBits: number;
}

/** A set of IP addresses and CIDR ranges. An IPv4 address and its IPv4-mapped form are the same. */
export class AddressList {
  readonly #ranges = new BlockList();
  readonly #entries: AddressRange[] = [];

  /**
   * @param entries such as `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`.
   * @throws SpeechError `invalid_input_message` that names the first entry which is neither.
   */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const range = parseRange(entry);
      if (!range) {
        throw new SpeechError(
          'invalid_input_message',
          `"${entry}" is no IP address and no CIDR range. Write it like 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.`,
        );
      }
      this.#ranges.addSubnet(range.address, range.prefixBits, `ipv${range.family}`);
      this.#entries.push(range);
    }
  }

  /** @param address what is not a plain address, without a zone, is in no list. */
  has(address: string | undefined): boolean {
    const range = address === undefined ? undefined : parseRange(address);
    if (range?.address !== address || !range) return false;
    return this.#ranges.check(range.address, `ipv${range.family}`);
  }

  /** Whether one entry of this list has every address of a range in it. */
  covers(range: string): boolean {
    const inner = parseRange(range);
    return inner !== undefined && this.#entries.some((outer) => covers(outer, inner));
  }
}

function covers(outer: AddressRange, inner: AddressRange): boolean {
  if (outer.family !== inner.family || outer.prefixBits > inner.prefixBits) return false;
  const range = new BlockList();
  range.addSubnet(outer.address, outer.prefixBits, `ipv${outer.family}`);
  return range.check(inner.address, `ipv${inner.family}`);
}

export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

function parseRange(text: string): AddressRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  // A zone names a network card of one machine: `fe80::1%eth0` means nothing to another.
  if ((family !== 4 && family !== 6) || address.includes('%') || rest.length > 0) return undefined;
  const prefixBits = prefix === undefined ? PREFIX_BITS[family] : wholeNumber(prefix);
  return prefixBits <= PREFIX_BITS[family] ? { address, family, prefixBits } : undefined;
}

function wholeNumber(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}
