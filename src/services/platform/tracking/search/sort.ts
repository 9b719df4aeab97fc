import { compareScalars, type Scalar } from '../../../../kernel/store/index.ts';
import type { OrderKey } from './language.ts';

/** Values come first, then NaN, then records without a value, in either direction. */
export const RANK = { value: 0, nan: 1, missing: 2 } as const;

/** `[0, value]`, `[1]` or `[2]`; part of page tokens. */
export type SortValue = readonly [rank: number, value?: Scalar];

export const MISSING: SortValue = [RANK.missing];

/** A position in an order: the values, and the tie-breakers. */
export interface Place {
  /** One value per key of the order. */
  readonly values: readonly SortValue[];
  readonly tie: number;
  /** The key of the record. */
  readonly key: string;
}

export type ComparePlaces = (a: Place, b: Place) => number;

export function placesInOrder(order: readonly OrderKey[], equalsByKeyDescending = false): ComparePlaces {
  return (a, b) => {
    for (const [i, { descending }] of order.entries()) {
      const difference = compareValues(a.values[i]!, b.values[i]!, descending);
      if (difference !== 0) return difference;
    }
    if (equalsByKeyDescending && order.length > 0) return compareScalars(b.key, a.key);
    return a.tie - b.tie || compareScalars(a.key, b.key);
  };
}

function compareValues([rank, value]: SortValue, [otherRank, other]: SortValue, descending: boolean): number {
  if (rank !== otherRank) return rank - otherRank;
  if (value === undefined || other === undefined) return 0;
  const difference = compareScalars(value, other);
  return descending ? -difference : difference;
}
