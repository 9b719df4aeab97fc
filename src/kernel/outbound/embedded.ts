/** The two words of an IPv4 address. */
export type IPv4Words = readonly [high: number, low: number];

type Words = readonly number[];

interface Embedding {
  readonly name: string;
  readonly holds: (words: Words) => boolean;
  /** Every IPv4 address that it may carry. */
  readonly read: (words: Words) => readonly IPv4Words[];
  /** A packet goes to the IPv4 address alone; the IPv6 address is only another way to write it. */
  readonly isAlias?: true;
}

const pair = (words: Words, at: number): IPv4Words => [words[at] ?? 0, words[at + 1] ?? 0];
const last = (words: Words): readonly IPv4Words[] => [pair(words, 6)];
const begins = (words: Words, ...prefix: readonly number[]): boolean => prefix.every((word, at) => words[at] === word);
const inverted = ([high, low]: IPv4Words): IPv4Words => [high ^ 0xffff, low ^ 0xffff];

/** RFC 6052 2.2: behind a prefix of 48, 56 or 64 bits the address goes around the octet from bit 64 to bit 71. */
function aroundTheReservedOctet(words: Words): readonly IPv4Words[] {
  const bytes = words.flatMap((word) => [word >> 8, word & 255]).filter((_, at) => at !== 8);
  const from = (at: number): IPv4Words => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(at, at + 4);
    return [(a << 8) | b, (c << 8) | d];
  };
  return [from(6), from(7), from(8)];
}

/** Every way in which an IPv6 address carries an IPv4 address that packets end up at. */
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
    // Zeros in front of the place where the address is are no address: no network translates to 0.0.0.0/8.
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
    // The two lowest bits of the first octet say whether the address is unique and whether it is of a group.
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
