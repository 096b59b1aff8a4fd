import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The push services of today's browsers. */
const known =
  /^(fcm\.googleapis\.com|android\.googleapis\.com|updates\.push\.services\.mozilla\.com|([a-z0-9-]+\.)*push\.services\.mozilla\.com|([a-z0-9-]+\.)*notify\.windows\.com|([a-z0-9-]+\.)*push\.apple\.com)$/;

/** Names that resolve inside a private network. */
const inside = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|arpa|test|invalid|example|onion)$/;

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

/** Whether a push may go to this URL, judged by its spelling. The name is checked again when it is resolved. */
export function isPublicHttps(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.protocol !== 'https:' || url.username || url.password) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // URL drops :443, so any remaining port is another one.
  if (url.port !== '') return false;
  if (known.test(host)) return true;
  if (isIP(host)) return isPublicAddress(host);
  return host.includes('.') && !inside.test(host);
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
