/** An IPv4 address as two 16-bit words. */
export type IPv4Words = readonly [high: number, low: number];

type Words = readonly number[];

interface Embedding {
  readonly name: string;
  readonly holds: (words: Words) => boolean;
  /** Returns all IPv4 addresses that the address may embed. */
  readonly read: (words: Words) => readonly IPv4Words[];
  /** Packets go only to the IPv4 address; the IPv6 address is another notation for it. */
  readonly isAlias?: true;
}

const pair = (words: Words, at: number): IPv4Words => [words[at] ?? 0, words[at + 1] ?? 0];
const last = (words: Words): readonly IPv4Words[] => [pair(words, 6)];
const begins = (words: Words, ...prefix: readonly number[]): boolean => prefix.every((word, at) => words[at] === word);
const inverted = ([high, low]: IPv4Words): IPv4Words => [high ^ 0xffff, low ^ 0xffff];

/** RFC 6052 2.2: with a prefix of 48, 56 or 64 bits, the address is split around the octet of bits 64 to 71. */
function aroundTheReservedOctet(words: Words): readonly IPv4Words[] {
  const bytes = words.flatMap((word) => [word >> 8, word & 255]).filter((_, at) => at !== 8);
  const from = (at: number): IPv4Words => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(at, at + 4);
    return [(a << 8) | b, (c << 8) | d];
  };
  return [from(6), from(7), from(8)];
}

/** All ways in which an IPv6 address can embed an IPv4 address that packets reach. */
const EMBEDDINGS: readonly Embedding[] = [
  {
    name: 'IPv4-mapped ::ffff:0:0/96 (RFC 4291)',
    holds: (words) => begins(words, 0, 0, 0, 0, 0, 0xffff),
    read: last,
    isAlias: true,
  },
  {
    name: 'IPv4-translated ::ffff:0:0:0/96 (RFC 2765)',
    holds: (words) => begins(words, 0, 0, 0, 0, 0xffff, 0),
    read: last,
    isAlias: true,
  },
  {
    name: 'IPv4-compatible ::/96 (RFC 4291), without :: and ::1, which are addresses of their own',
    holds: (words) => begins(words, 0, 0, 0, 0, 0, 0) && !(words[6] === 0 && (words[7] ?? 0) < 2),
    read: last,
    isAlias: true,
  },
  { name: 'NAT64 64:ff9b::/96 (RFC 6052)', holds: (words) => begins(words, 0x64, 0xff9b, 0, 0, 0, 0), read: last },
  {
    name: 'NAT64 64:ff9b:1::/48 (RFC 8215), in which a network chooses the length of its prefix',
    holds: (words) => begins(words, 0x64, 0xff9b, 1),
    // Leading zeros at the embedding position are not an address, because 0.0.0.0/8 is never translated.
    read: (words) => [...aroundTheReservedOctet(words), pair(words, 6)].filter(([high]) => high > 0xff),
  },
  { name: '6to4 2002::/16 (RFC 3056)', holds: (words) => begins(words, 0x2002), read: (words) => [pair(words, 1)] },
  {
    name: 'Teredo 2001::/32 (RFC 4380): the server, and the client with all bits inverted',
    holds: (words) => begins(words, 0x2001, 0),
    read: (words) => [pair(words, 2), inverted(pair(words, 6))],
  },
  {
    name: 'ISATAP …:[0200:]5efe:a.b.c.d (RFC 5214), behind any prefix',
    // The two lowest bits of the first octet are flags for unique and group addresses.
    holds: (words) => words[5] === 0x5efe && ((words[4] ?? 0) & 0xfcff) === 0,
    read: last,
  },
];

export interface Embedded {
  readonly addresses: readonly IPv4Words[];
  readonly isAlias: boolean;
}

export function embeddedIPv4(words: Words): Embedded {
  const found = EMBEDDINGS.filter(({ holds }) => holds(words));
  return {
    addresses: found.flatMap(({ read }) => read(words)),
    isAlias: found.some(({ isAlias }) => isAlias === true),
  };
}
