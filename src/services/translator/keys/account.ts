import type { Tier } from '../limits.ts';

/** Whom the characters of a request are charged to: a subscription key, or a resource that a directory token names. */
export interface Account {
  readonly name: string;
  /** Not limited by a tier where it has none. */
  readonly tier?: Tier;
  /** Requests have to name it. A key without a region is global. */
  readonly region?: string;
  /** A key of another API is known for what it is. */
  readonly kind: 'translator' | 'speech';
}

export const KINDS: readonly Account['kind'][] = ['translator', 'speech'];

/** Regions are written as `West Europe` and as `westeurope`. */
export const sameRegion = (a: string, b: string): boolean => plain(a) === plain(b);

const plain = (region: string): string => region.replaceAll(' ', '').toLowerCase();
