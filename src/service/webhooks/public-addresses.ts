import { BlockList, isIP, isIPv4 } from 'node:net';

/** Not reachable over the internet, or reaching back into a network: IANA special-purpose registries. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network; 0.0.0.0 itself reaches the machine
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];
/** All that is global lies in here; loopback, v4-mapped, NAT64, private, link-local and multicast do not. */
const GLOBAL_IPV6 = '2000::/3';
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '3fff::/20', // documentation
];

const SPECIAL = networks([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const GLOBAL = networks([GLOBAL_IPV6]);

/** Whether an address, without a zone, belongs to somebody on the internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, 'ipv4');
  return isPlainIpv6(address) && GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

/** Whether an address lies in one of some networks. Of a v4-mapped address the IPv4 part counts too. */
export function liesIn(address: string, among: BlockList): boolean {
  if (isIPv4(address)) return among.check(address, 'ipv4');
  return isPlainIpv6(address) && among.check(address, 'ipv6');
}

/**
 * @param ranges addresses, or networks in CIDR form.
 * @throws Error that names the one that is neither.
 */
export function networks(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [, address = '', prefix] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || length > bits) {
      throw new Error(`"${range}" is neither an address nor a network such as 10.0.0.0/8.`);
    }
    list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** A zone (`%eth0`) names an interface of this machine: nothing that a receiver has. */
function isPlainIpv6(address: string): boolean {
  return isIP(address) === 6 && !address.includes('%');
}
