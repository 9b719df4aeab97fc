import { Type } from 'typebox';
import { startOfDay } from '../../../kernel/time/index.ts';

/** Shapes of counts in responses. */

export const Counts = Type.Array(Type.Object({ datetime: Type.String(), count: Type.Number() }));

export const datetimeOf = (day: string): string => new Date(startOfDay(day)).toISOString();

/** One entry per day. */
export const perDay = (days: readonly string[], countOf: (day: string) => number) =>
  days.map((day) => ({ datetime: datetimeOf(day), count: countOf(day) }));

/** The ratio is 0 if the total is 0. */
export const ratio = (count: number, of: number): number => (of === 0 ? 0 : count / of);

/** Distinct devices per key. */
export class DeviceSets {
  readonly #sets = new Map<string, Set<string>>();

  add(by: string, installId: string): void {
    const known = this.#sets.get(by);
    if (known) known.add(installId);
    else this.#sets.set(by, new Set([installId]));
  }

  count(by: string): number {
    return this.#sets.get(by)?.size ?? 0;
  }

  keys(): Iterable<string> {
    return this.#sets.keys();
  }
}

/** Counts per key. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(by: string, count = 1): void {
    this.#counts.set(by, (this.#counts.get(by) ?? 0) + count);
  }

  count(by: string): number {
    return this.#counts.get(by) ?? 0;
  }

  keys(): Iterable<string> {
    return this.#counts.keys();
  }
}

/** By count descending, then by name, so that the order is stable. */
export const byCount = (a: { count: number; name: string }, b: { count: number; name: string }): number =>
  b.count - a.count || (a.name < b.name ? -1 : 1);
