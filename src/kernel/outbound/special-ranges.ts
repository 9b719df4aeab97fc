/** The class of an address: never a receiver, this machine, a private network, or the internet. */
export type Reach = 'never' | 'loopback' | 'private' | 'public';

export interface SpecialRange {
  /** An address with the length of its prefix. */
  readonly network: string;
  readonly reach: Reach;
  /** The defining document and its name for the range. */
  readonly source: string;
}

const row = (network: string, reach: Reach, source: string): SpecialRange => ({ network, reach, source });

/**
 * The IANA special-purpose address registries for IPv4 and IPv6, and other addresses known not to be ordinary receivers. The longest
 * matching prefix decides; an address without a match is public. Ranges that the registries call not globally reachable are `private`: a
 * jar that only its own machine uses may send there, a shared one must not. `never` applies to all: the host's own link, services that
 * return a machine's credentials, and addresses that are not a single receiver.
 */
export const SPECIAL_RANGES: readonly SpecialRange[] = [
  row('0.0.0.0/8', 'never', 'RFC 791: this network'),
  row('10.0.0.0/8', 'private', 'RFC 1918: private use'),
  row('100.64.0.0/10', 'private', 'RFC 6598: shared address space'),
  row('127.0.0.0/8', 'loopback', 'RFC 1122: loopback'),
  row('169.254.0.0/16', 'never', 'RFC 3927: link local'),
  row('172.16.0.0/12', 'private', 'RFC 1918: private use'),
  row('192.0.0.0/24', 'private', 'RFC 6890: IETF protocol assignments'),
  row('192.0.0.0/29', 'private', 'RFC 7335: IPv4 service continuity'),
  row('192.0.0.8/32', 'private', 'RFC 7600: IPv4 dummy address'),
  row('192.0.0.9/32', 'public', 'RFC 7723: port control protocol anycast'),
  row('192.0.0.10/32', 'public', 'RFC 8155: traversal using relays around NAT anycast'),
  row('192.0.0.170/31', 'private', 'RFC 7050: NAT64 and DNS64 discovery'),
  row('192.0.2.0/24', 'private', 'RFC 5737: documentation'),
  row('192.31.196.0/24', 'public', 'RFC 7535: AS112'),
  row('192.52.193.0/24', 'public', 'RFC 7450: automatic multicast tunnelling'),
  row('192.88.99.0/24', 'private', 'RFC 7526: 6to4 relay anycast, deprecated'),
  row('192.168.0.0/16', 'private', 'RFC 1918: private use'),
  row('192.175.48.0/24', 'public', 'RFC 7534: AS112'),
  row('198.18.0.0/15', 'private', 'RFC 2544: benchmarking'),
  row('198.51.100.0/24', 'private', 'RFC 5737: documentation'),
  row('203.0.113.0/24', 'private', 'RFC 5737: documentation'),
  row('224.0.0.0/4', 'never', 'RFC 5771: multicast'),
  row('240.0.0.0/4', 'never', 'RFC 1112: reserved'),
  row('255.255.255.255/32', 'never', 'RFC 919: limited broadcast'),
  row('100.100.100.200/32', 'never', 'metadata service of a cloud'),
  row('168.63.129.16/32', 'never', 'metadata service of a cloud'),
  row('192.0.0.192/32', 'never', 'metadata service of a cloud'),

  row('::/128', 'never', 'RFC 4291: unspecified'),
  row('::1/128', 'loopback', 'RFC 4291: loopback'),
  row('::ffff:0:0/96', 'never', 'RFC 4291: IPv4-mapped, judged by what it carries'),
  row('64:ff9b::/96', 'public', 'RFC 6052: IPv4-IPv6 translation, judged by what it carries'),
  row('64:ff9b:1::/48', 'private', 'RFC 8215: local-use IPv4-IPv6 translation, and judged by what it carries'),
  row('100::/64', 'never', 'RFC 6666: discard only'),
  row('100:0:0:1::/64', 'private', 'RFC 9780: dummy prefix'),
  row('2001::/23', 'private', 'RFC 2928: IETF protocol assignments'),
  row('2001::/32', 'public', 'RFC 4380: Teredo, judged by what it carries'),
  row('2001:1::1/128', 'public', 'RFC 7723: port control protocol anycast'),
  row('2001:1::2/128', 'public', 'RFC 8155: traversal using relays around NAT anycast'),
  row('2001:1::3/128', 'public', 'RFC 9665: DNS-SD service registration anycast'),
  row('2001:2::/48', 'private', 'RFC 5180: benchmarking'),
  row('2001:3::/32', 'public', 'RFC 7450: automatic multicast tunnelling'),
  row('2001:4:112::/48', 'public', 'RFC 7535: AS112'),
  row('2001:10::/28', 'private', 'RFC 4843: ORCHID, deprecated'),
  row('2001:20::/28', 'public', 'RFC 7343: ORCHIDv2'),
  row('2001:30::/28', 'public', 'RFC 9374: drone remote identification'),
  row('2001:db8::/32', 'private', 'RFC 3849: documentation'),
  row('2002::/16', 'public', 'RFC 3056: 6to4, judged by what it carries'),
  row('2620:4f:8000::/48', 'public', 'RFC 7534: AS112'),
  row('3fff::/20', 'private', 'RFC 9637: documentation'),
  row('5f00::/16', 'private', 'RFC 9602: segment routing identifiers'),
  row('fc00::/7', 'private', 'RFC 4193: unique local'),
  row('fe80::/10', 'never', 'RFC 4291: link local'),
  row('fec0::/10', 'private', 'RFC 3879: site local, deprecated'),
  row('ff00::/8', 'never', 'RFC 4291: multicast'),
  row('fd00:ec2::254/128', 'never', 'metadata service of a cloud'),
  row('fd20:ce::254/128', 'never', 'metadata service of a cloud'),
];
