import { collection, number } from '../store/collection.ts';
import type { FaultEffect } from './effect.ts';
import { drawFor } from './share.ts';

export type Direction = 'inbound' | 'outbound';

/** What a rule is about; what is absent matches everything. */
export interface FaultMatch {
  readonly direction: Direction;
  readonly service?: string;
  /** In upper case. */
  readonly method?: string;
  /** A glob. */
  readonly path?: string;
  /** Globs of values by name. */
  readonly query?: Readonly<Record<string, string>>;
  /** Globs of values by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** When a rule that matches also fires. */
export interface FaultSchedule {
  /** Fires so often, then never again. */
  readonly count?: number;
  /** Only on exactly this match. */
  readonly nth?: number;
  /** Only on every so-manieth match. */
  readonly every?: number;
  /** Only on this share of the matches, drawn by the seed. */
  readonly share?: number;
  readonly seed?: string | number;
}

export interface NewFaultRule extends FaultSchedule {
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
}

export interface FaultRule extends NewFaultRule {
  readonly id: string;
  /** Rules are tried in this order, that in which they were made. */
  readonly order: number;
  readonly createdAt: number;
}

/** Apart from the rule: it changes with every match, the rule never does, and every node keeps the rules in memory. */
export interface FaultCounts {
  readonly matched: number;
  readonly hits: number;
  readonly lastHitAt: number | null;
}

export const NO_COUNTS: FaultCounts = { matched: 0, hits: 0, lastHitAt: null };

/** Kept in memory by the engine; marked as cached so that every node hears of changes. */
export const faultRules = collection<FaultRule>('faults.rules', {
  fields: { order: number((rule) => rule.order) },
  indexes: [['order']],
  cached: true,
});

export const faultCounts = collection<FaultCounts>('faults.counts');

/** A rule that can never fire again. It stays, to be looked at, and counts no more. */
export function isExhausted({ count, nth }: FaultSchedule, { matched, hits }: FaultCounts): boolean {
  return (count !== undefined && hits >= count) || (nth !== undefined && matched >= nth);
}

/** Whether the rule fires on its `matched`-th match. Says nothing of `count`; see `isExhausted`. */
export function firesOn({ nth, every, share, seed = 0 }: FaultSchedule, matched: number): boolean {
  if (nth !== undefined) return matched === nth;
  if (every !== undefined && matched % every !== 0) return false;
  return share === undefined || drawFor(seed, matched) < share;
}
