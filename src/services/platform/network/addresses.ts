import { isIPv4 } from 'node:net';

/** IPv4 addresses as numbers, and ranges of them. */

export type Range = readonly [first: number, last: number];

const CIDR = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/;
const BITS = 32;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0);

/** Parses an address or a network in CIDR notation. Returns undefined if the text is neither. */
export function rangeOf(text: string): Range | undefined {
  const [, address = '', prefix = String(BITS)] = CIDR.exec(text) ?? [];
  const bits = Number(prefix);
  if (!isIPv4(address) || bits > BITS) return undefined;
  const size = 2 ** (BITS - bits);
  const first = Math.floor(numberOf(address) / size) * size;
  return [first, first + size - 1];
}

/**
 * Normalises the address of a client for lists. A dual-stack socket reports IPv4 addresses in their IPv6 form, and `::1` is the same
 * machine as `127.0.0.1`. Lists contain only IPv4, so no other IPv6 address is in a list.
 */
export const plainAddress = (remoteAddress: string): string =>
  remoteAddress === '::1' ? '127.0.0.1' : (MAPPED.exec(remoteAddress)?.[1] ?? remoteAddress);

/** Sorted ranges without overlap, so that a binary search finds the only one that can contain an address. */
export class RangeSet {
  readonly #ranges: readonly Range[];

  constructor(texts: readonly string[]) {
    const sorted = texts.map(rangeOf).filter((range) => range !== undefined);
    sorted.sort(([one], [other]) => one - other);
    const merged: [number, number][] = [];
    for (const [first, last] of sorted) {
      const before = merged.at(-1);
      if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else merged.push([first, last]);
    }
    this.#ranges = merged;
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  has(address: string): boolean {
    if (this.isEmpty || !isIPv4(address)) return false;
    const number = numberOf(address);
    let [low, high] = [0, this.#ranges.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [first, last] = this.#ranges[middle] as Range;
      if (number < first) high = middle - 1;
      else if (number > last) low = middle + 1;
      else return true;
    }
    return false;
  }
}
