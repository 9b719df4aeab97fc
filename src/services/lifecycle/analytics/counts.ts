import { Type } from 'typebox';
import { startOfDay } from '../../../kernel/time/index.ts';

/** How answers count. */

export const Counts = Type.Array(Type.Object({ datetime: Type.String(), count: Type.Number() }));

export const datetimeOf = (day: string): string => new Date(startOfDay(day)).toISOString();

/** One entry a day. */
export const perDay = (days: readonly string[], countOf: (day: string) => number) =>
  days.map((day) => ({ datetime: datetimeOf(day), count: countOf(day) }));

/** Nothing out of nothing is none. */
export const ratio = (count: number, of: number): number => (of === 0 ? 0 : count / of);

/** Different devices, by something. */
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

/** Numbers by something. */
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

/** Most first, and then by name, so that a list is the same every time. */
export const byCount = (a: { count: number; name: string }, b: { count: number; name: string }): number =>
  b.count - a.count || (a.name < b.name ? -1 : 1);
