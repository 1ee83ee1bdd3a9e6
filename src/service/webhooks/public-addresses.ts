import { isIPv4 } from 'node:net';
import { AddressList } from '../account/address-list.ts';

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

const SPECIAL = new AddressList([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const GLOBAL = new AddressList([GLOBAL_IPV6]);

/** Whether an address, without a zone, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  return (isIPv4(address) || GLOBAL.has(address)) && !SPECIAL.has(address);
}
