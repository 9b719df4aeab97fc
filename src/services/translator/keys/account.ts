import type { Tier } from '../limits.ts';

/** Account that the characters of a request are charged to: a subscription key, or a resource that a directory token names. */
export interface Account {
  readonly name: string;
  /** Absent: not limited by a tier. */
  readonly tier?: Tier;
  /** Requests must name the region. Absent for a global key. */
  readonly region?: string;
  /** API of the key; a key of another API gets an error of its own. */
  readonly kind: 'translator' | 'speech';
}

export const KINDS: readonly Account['kind'][] = ['translator', 'speech'];

/** Regions are written as `West Europe` and as `westeurope`. */
export const sameRegion = (a: string, b: string): boolean => plain(a) === plain(b);

const plain = (region: string): string => region.replaceAll(' ', '').toLowerCase();
