import { isIPv6 } from 'node:net';

/**
 * The network of an address: an IPv4 address itself, or the /64 that one IPv6 customer has. Every rate limit counts networks, because the
 * owner of a /64 has 2⁶⁴ addresses to retry from.
 */
export function networkOfAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const isMappedIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMappedIPv4) return groups.slice(0, 4).join(':');
  const bytes = groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  return bytes.join('.');
}

/**
 * The /48 of an IPv6 network, null for IPv4. One customer may have a /48, with 65,536 networks to retry from; a mobile carrier also gives
 * thousands of phones networks of one /48.
 */
export function siteOfNetwork(network: string): string | null {
  const groups = network.split(':');
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}/48` : null;
}

/** The eight groups of an IPv6 address. URL parsing normalizes every spelling. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
