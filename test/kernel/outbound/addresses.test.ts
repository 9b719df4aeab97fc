import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressClassOf, isLocalhostName, isMetadataName } from '../../../src/kernel/outbound/addresses.ts';
import { SPECIAL_RANGES } from '../../../src/kernel/outbound/special-ranges.ts';

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
  ['::ffff:0:169.254.169.254', 'never'],
  ['::ffff:0:10.0.0.1', 'private'],
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['::2', 'never'],
  ['::0.0.0.9', 'never'],
  ['64:ff9b:1::169.254.169.254', 'never'],
  ['64:ff9b:1:a9fe:a9:fe00::', 'never'],
  ['64:ff9b:1:a9:fe:a9fe::', 'never'],
  ['64:ff9b:1:2:a9:fea9:fe00:0', 'never'],
  ['64:ff9b:1::8.8.8.8', 'private'],
  ['64:ff9b:1:808:8:808:808:808', 'private'],
  ['2001:0:a9fe:a9fe::f7f7:f7f7', 'never'],
  ['2001:0:808:808::5601:5601', 'never'],
  ['2001:0:808:808::f5ff:fffe', 'private'],
  ['2001:0:808:808::f7f7:f7f7', 'public'],
  ['2606:4700::5efe:10.0.0.1', 'private'],
  ['2606:4700::200:5efe:a9fe:a9fe', 'never'],
  ['2606:4700::5efe:8.8.8.8', 'public'],
  ['fe80::5efe:8.8.8.8', 'never'],
  ['2002:808:808::5efe:10.0.0.1', 'private'],
  ['::1%lo', 'loopback'],
  ['fe80::1%25eth0', 'never'],
  ['192.0.0.9', 'public'],
  ['192.0.0.8', 'private'],
  ['192.0.0.192', 'never'],
  ['192.0.2.1', 'private'],
  ['192.88.99.1', 'private'],
  ['198.51.100.7', 'private'],
  ['203.0.113.7', 'private'],
  ['198.19.255.255', 'private'],
  ['100::1', 'never'],
  ['100:0:0:1::1', 'private'],
  ['2001:2::1', 'private'],
  ['2001:5::1', 'private'],
  ['2001:1::1', 'public'],
  ['2001:1::4', 'private'],
  ['2001:20::1', 'public'],
  ['2001:200::1', 'public'],
  ['2001:db8::1', 'private'],
  ['3fff:fff::1', 'private'],
  ['5f00::1', 'private'],
  ['fec0::1', 'private'],
  ['fd20:ce::254', 'never'],
  ['2a00:1450::1', 'public'],
  ['not an address', 'never'],
] as const)('%s is %s', ([address, reach]) => {
  expect(addressClassOf(address)).toBe(reach);
});

const octet = fc.integer({ min: 0, max: 255 });
const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
type Octets = readonly [number, number, number, number];
const dotted = (octets: Octets): string => octets.join('.');
const wordsOf = ([a, b, c, d]: Octets): string => `${hex(a, b)}:${hex(c, d)}`;
const inverted = ([a, b, c, d]: Octets): Octets => [255 - a, 255 - b, 255 - c, 255 - d];

/** Forms whose other bits have no meaning, so that only the embedded address decides. */
const PLAIN_FORMS: readonly ((octets: Octets) => string)[] = [
  (octets) => `::ffff:${dotted(octets)}`,
  (octets) => `::ffff:${wordsOf(octets)}`,
  (octets) => `::ffff:0:${dotted(octets)}`,
  (octets) => `64:ff9b::${wordsOf(octets)}`,
  (octets) => `2002:${wordsOf(octets)}::`,
  (octets) => `2001:0:808:808::${wordsOf(inverted(octets))}`,
  (octets) => `2001:0:${wordsOf(octets)}::${wordsOf(inverted([8, 8, 8, 8]))}`,
  (octets) => `2606:4700::5efe:${dotted(octets)}`,
  (octets) => `2606:4700::200:5efe:${wordsOf(octets)}`,
];

/** Forms in a private network, which a shared jar must not reach whatever address they embed. */
const LOCAL_FORMS: readonly ((octets: Octets) => string)[] = [
  (octets) => `64:ff9b:1:808:8:808:${wordsOf(octets)}`,
  ([a, b, c, d]) => `64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 8)}:808:808`,
  ([a, b, c, d]) => `64:ff9b:1:${hex(8, a)}:${hex(0, b)}:${hex(c, d)}:808:808`,
  ([a, b, c, d]) => `64:ff9b:1:808:${hex(0, a)}:${hex(b, c)}:${hex(d, 8)}:808`,
];

test('an IPv4 address is as far as it is in every IPv6 form that carries it', () => {
  const property = fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
    for (const form of PLAIN_FORMS.map((write) => write(octets))) {
      expect([form, addressClassOf(form)]).toEqual([form, addressClassOf(dotted(octets))]);
    }
  });
  fc.assert(property);
});

test('no form of an address that is not public is public, and none of a metadata service is anything but refused', () => {
  const networks = SPECIAL_RANGES.filter(({ network, reach }) => network.includes('.') && reach !== 'public');
  const property = fc.property(fc.constantFrom(...networks), fc.tuple(octet, octet, octet, octet), (range, random) => {
    const [address = '', prefix] = range.network.split('/');
    const base = address.split('.').map(Number);
    const octets = random.map((value, at) => {
      const mask = 0xff >> Math.min(Math.max(Number(prefix) - at * 8, 0), 8);
      return ((base[at] ?? 0) & ~mask) | (value & mask);
    }) as [number, number, number, number];
    const plain = addressClassOf(dotted(octets));
    fc.pre(plain !== 'public');
    for (const form of [...PLAIN_FORMS, ...LOCAL_FORMS].map((write) => write(octets))) {
      const reach = addressClassOf(form);
      // 0.0.0.0/8 is never translated, so a local prefix followed by zeros stays a private address.
      const isMissed = plain === 'never' && octets[0] !== 0 && reach !== 'never';
      expect([form, reach === 'public', isMissed]).toEqual([form, false, false]);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

test('every range of the table is written as a network, once, and names its source', () => {
  expect(new Set(SPECIAL_RANGES.map(({ network }) => network)).size).toBe(SPECIAL_RANGES.length);
  for (const { network, source } of SPECIAL_RANGES) {
    expect([network, isIP(network.split('/')[0] ?? '')]).not.toEqual([network, 0]);
    expect(source).toMatch(/^(RFC \d+|metadata service)/);
  }
});

test('metadata services and this machine are known by name', () => {
  expect(['metadata.google.internal', 'METADATA.GOOGLE.INTERNAL.', 'metadata'].every(isMetadataName)).toBe(true);
  expect(isMetadataName('metadata.example.com')).toBe(false);
  expect(['localhost', 'a.b.localhost', 'LOCALHOST.'].every(isLocalhostName)).toBe(true);
  expect(['localhost.example.com', 'notlocalhost'].some(isLocalhostName)).toBe(false);
});
