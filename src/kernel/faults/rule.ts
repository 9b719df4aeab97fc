import { collection, number } from '../store/collection.ts';
import type { FaultEffect } from './effect.ts';
import { pseudoRandom } from './pseudo-random.ts';

export type Direction = 'inbound' | 'outbound';

/** Conditions of a rule; an absent one matches everything. */
export interface FaultMatch {
  readonly direction: Direction;
  readonly service?: string;
  /** In upper case. */
  readonly method?: string;
  /** A glob. */
  readonly path?: string;
  /** Globs for values, by name. */
  readonly query?: Readonly<Record<string, string>>;
  /** Globs for values, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** On which matches a rule fires. */
export interface FaultSchedule {
  /** Maximum number of times that the rule fires. */
  readonly count?: number;
  /** Fires only on this match. */
  readonly nth?: number;
  /** Fires on every n-th match. */
  readonly every?: number;
  /** Fires on this fraction of the matches, chosen pseudo-randomly by the seed. */
  readonly share?: number;
  readonly seed?: string | number;
}

export interface NewFaultRule extends FaultSchedule {
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
  /** A disabled rule stays in the list, and neither counts nor acts. */
  readonly enabled?: false;
}

export interface FaultRule extends NewFaultRule {
  readonly id: string;
  /** Order of creation, in which rules are tried. */
  readonly order: number;
  readonly createdAt: number;
}

/** Separate from the rule, because the counts change with every match while rules rarely change and are kept in memory on every node. */
export interface FaultCounts {
  readonly matched: number;
  readonly hits: number;
  readonly lastHitAt: number | null;
}

export const NO_COUNTS: FaultCounts = { matched: 0, hits: 0, lastHitAt: null };

/** Kept in memory by the engine; `cached` makes every node receive changes. */
export const faultRules = collection<FaultRule>('faults.rules', {
  fields: { order: number((rule) => rule.order) },
  indexes: [['order']],
  cached: true,
});

export const faultCounts = collection<FaultCounts>('faults.counts');

/** Whether the rule can never fire again. It remains listed, but no longer counts matches. */
export function isExhausted({ count, nth }: FaultSchedule, { matched, hits }: FaultCounts): boolean {
  return (count !== undefined && hits >= count) || (nth !== undefined && matched >= nth);
}

/** Whether the rule fires on its `matched`-th match. Does not check `count`; see `isExhausted`. */
export function firesOn({ nth, every, share, seed = 0 }: FaultSchedule, matched: number): boolean {
  if (nth !== undefined) return matched === nth;
  if (every !== undefined && matched % every !== 0) return false;
  return share === undefined || pseudoRandom(seed, matched) < share;
}
