import { isIP } from 'node:net';
import { embeddedIPv4 } from './embedded.ts';
import { type Reach, SPECIAL_RANGES } from './special-ranges.ts';

export type { Reach } from './special-ranges.ts';

interface Range {
  readonly words: readonly number[];
  readonly prefix: number;
  readonly reach: Reach;
}

/** Built when the first address is judged: many jars send nothing, and should not spend time on this at start. */
let ranges: readonly Range[] | undefined;

/** Names of metadata services, in case a resolver maps them to other addresses. */
const METADATA_NAMES = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);

/** If an address embeds several others, the first of these applies. `private` comes before `loopback`, which has more rights. */
const STRICTEST_FIRST: readonly Reach[] = ['never', 'private', 'loopback', 'public'];

/** Classifies an IP address. An address that embeds others gets the strictest class of all of them. */
export function addressClassOf(address: string): Reach {
  const plain = address.split('%', 1)[0] as string;
  const family = isIP(plain);
  if (family === 0) return 'never';
  const words = wordsOf(plain);
  if (family === 4) return judge(words);
  const { addresses, isAlias } = embeddedIPv4(words);
  const reaches = addresses.map(judge);
  if (!isAlias) reaches.push(judge(words));
  return STRICTEST_FIRST.find((reach) => reaches.includes(reach)) ?? 'never';
}

export function isMetadataName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return METADATA_NAMES.has(name) || name.endsWith('.metadata.google.internal');
}

/** `localhost` and its subdomains are this machine, whatever a resolver returns (RFC 6761). */
export function isLocalhostName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}

/** The longest matching prefix decides. */
function judge(words: readonly number[]): Reach {
  ranges ??= SPECIAL_RANGES.map(rangeOf).sort((one, other) => other.prefix - one.prefix);
  return ranges.find((range) => contains(range, words))?.reach ?? 'public';
}

function rangeOf({ network, reach }: (typeof SPECIAL_RANGES)[number]): Range {
  const [address = '', prefix] = network.split('/');
  return { words: wordsOf(address), prefix: Number(prefix), reach };
}

function contains({ words, prefix }: Range, address: readonly number[]): boolean {
  if (words.length !== address.length) return false;
  return words.every((word, at) => {
    const bits = Math.min(Math.max(prefix - at * 16, 0), 16);
    return (word ^ (address[at] ?? 0)) >> (16 - bits) === 0;
  });
}

/** Returns 16-bit words: two for IPv4, eight for IPv6. */
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
