import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLocalhostName, isMetadataName, reachOf } from '../../../src/kernel/outbound/addresses.ts';

test.for([
  ['169.254.169.254', 'never'],
  ['169.254.0.1', 'never'],
  ['100.100.100.200', 'never'],
  ['168.63.129.16', 'never'],
  ['0.0.0.0', 'never'],
  ['0.1.2.3', 'never'],
  ['224.0.0.1', 'never'],
  ['255.255.255.255', 'never'],
  ['::', 'never'],
  ['fe80::1', 'never'],
  ['fe80::1%eth0', 'never'],
  ['febf::1', 'never'],
  ['ff02::1', 'never'],
  ['fd00:ec2::254', 'never'],
  ['::ffff:169.254.169.254', 'never'],
  ['::ffff:a9fe:a9fe', 'never'],
  ['::169.254.169.254', 'never'],
  ['64:ff9b::a9fe:a9fe', 'never'],
  ['64:ff9b::169.254.169.254', 'never'],
  ['2002:a9fe:a9fe::1', 'never'],
  ['127.0.0.1', 'loopback'],
  ['127.255.0.9', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fc00::1', 'private'],
  ['fdff::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['2002:0a00:0001::', 'private'],
  ['8.8.8.8', 'public'],
  ['172.32.0.1', 'public'],
  ['2606:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['not an address', 'never'],
] as const)('%s is %s', ([address, reach]) => {
  expect(reachOf(address)).toBe(reach);
});

test('an IPv4 address is as far as it is in every IPv6 form that carries it', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const property = fc.property(octet, octet, octet, octet, (a, b, c, d) => {
    const dotted = [a, b, c, d].join('.');
    const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
    const words = `${hex(a, b)}:${hex(c, d)}`;
    for (const form of [`::ffff:${dotted}`, `::ffff:${words}`, `64:ff9b::${words}`, `2002:${words}::`]) {
      expect([form, reachOf(form)]).toEqual([form, reachOf(dotted)]);
    }
  });
  fc.assert(property);
});

test('metadata services and this machine are known by name', () => {
  expect(['metadata.google.internal', 'METADATA.GOOGLE.INTERNAL.', 'metadata'].every(isMetadataName)).toBe(true);
  expect(isMetadataName('metadata.example.com')).toBe(false);
  expect(['localhost', 'a.b.localhost', 'LOCALHOST.'].every(isLocalhostName)).toBe(true);
  expect(['localhost.example.com', 'notlocalhost'].some(isLocalhostName)).toBe(false);
});
