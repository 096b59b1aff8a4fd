import { expect, test } from 'vitest';
import { networkOfAddress, siteOfNetwork } from './client-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::2001:db8:9', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['not an address', 'not an address'],
])('networkOf %s is %s', (address, network) => {
  expect(networkOfAddress(address)).toBe(network);
});

test.each([
  ['2001:db8:1:2', '2001:db8:1/48'],
  ['2001:db8:1:ffff', '2001:db8:1/48'],
  ['2001:db8:2:2', '2001:db8:2/48'],
  ['203.0.113.7', null],
])('siteOfNetwork %s is %s', (network, site) => {
  expect(siteOfNetwork(network)).toBe(site);
});
