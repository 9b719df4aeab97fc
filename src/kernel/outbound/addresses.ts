import { BlockList, isIP } from 'node:net';

/**
 * Where nothing may be sent, whoever asks: this host's own link, the services that hand out a machine's credentials, and what is no single
 * receiver at all.
 */
const NEVER: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
];

/** Where a jar on somebody's own machine may send, and one that others use may not. */
const PRIVATE: readonly (readonly [network: string, prefix: number])[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
  ['fec0::', 10],
];

const LOOPBACK: readonly (readonly [network: string, prefix: number])[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

/** Made when the first address is judged: many a jar sends nothing, and should not wait for this at its start. */
let lists: { readonly never: BlockList; readonly inside: BlockList; readonly loopback: BlockList } | undefined;

/** Names of the same services, for resolvers that give them other addresses. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);

export type Reach = 'never' | 'loopback' | 'private' | 'public';

/** How far away an IP address is. An address that carries another one in it is as far as that one. */
export function reachOf(address: string): Reach {
  const plain = address.split('%', 1)[0] as string;
  const family = isIP(plain);
  if (family === 0) return 'never';
  if (family === 4) return judge(plain, 'ipv4');
  const embedded = embeddedIPv4(plain);
  if (embedded !== undefined) return judge(embedded, 'ipv4');
  return judge(plain, 'ipv6');
}

export function isMetadataName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return METADATA_NAMES.has(name) || name.endsWith('.metadata.google.internal');
}

/** `localhost` and everything below it is this machine, whatever a resolver says (RFC 6761). */
export function isLocalhostName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}

function judge(address: string, family: 'ipv4' | 'ipv6'): Reach {
  lists ??= { never: listOf(NEVER), inside: listOf(PRIVATE), loopback: listOf(LOOPBACK) };
  const { never, inside, loopback } = lists;
  if (never.check(address, family)) return 'never';
  if (loopback.check(address, family)) return 'loopback';
  return inside.check(address, family) ? 'private' : 'public';
}

/** The IPv4 address inside of a mapped (::ffff:0:0/96), compatible (::/96), translated (64:ff9b::/96) or 6to4 (2002::/16) one. */
function embeddedIPv4(address: string): string | undefined {
  const words = wordsOf(address);
  const [first, second] = words as [number, number];
  const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const middleIsZero = words.slice(2, 6).every((word) => word === 0);
  if (first === 0x2002) return dotted(second, words[2]!);
  if (first === 0x64 && second === 0xff9b && middleIsZero) return dotted(words[6]!, words[7]!);
  if (first !== 0 || second !== 0 || words[2] !== 0 || words[3] !== 0 || words[4] !== 0) return undefined;
  if (words[5] === 0xffff) return dotted(words[6]!, words[7]!);
  // `::` and `::1` are addresses of their own.
  return words[5] === 0 && words[6] !== 0 ? dotted(words[6]!, words[7]!) : undefined;
}

function wordsOf(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const before = wordsIn(head);
  if (tail === undefined) return before;
  const after = wordsIn(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function wordsIn(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

function listOf(networks: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6');
  return list;
}
