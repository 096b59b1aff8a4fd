import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Two lists, because one combined list also compares IPv4 addresses with the IPv6 ranges.
const notPublic4 = new BlockList();
const notPublic6 = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic4.addSubnet(net, bits, 'ipv4');
// Everything but global unicast, and within that: IPv4-mapped ranges and documentation.
for (const [net, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic6.addSubnet(net, bits, 'ipv6');

/** Whether this address is on the public internet: not this machine, not a private network, not reserved. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic4.check(address);
  return family === 6 && !notPublic6.check(address, 'ipv6');
}

/** Resolves names like the system but refuses every address that is not public: a name can point anywhere, and can change after a check. */
export const publicLookup: LookupFunction = (hostname, options, answer) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '', 0);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return answer(Object.assign(new Error('not a public address'), { code: 'ENOTPUBLIC' }), '', 0);
    if (options.all) return answer(null, addresses);
    return answer(null, first.address, first.family);
  });
};
