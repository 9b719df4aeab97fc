import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { DAY_MS, startOfDay } from '../../../kernel/time/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { Counts, perDay } from './counts.ts';
import { dayBefore } from './days.ts';
import { PERIOD, readPeriod } from './query.ts';
import { readDeviceDays } from './read-days.ts';

/** Number of days for which an active device counts, including the day of activity. */
const WINDOWS = { daily: 1, weekly: 7, monthly: 30 } as const;

/** Distinct devices per day, and in the week and month that end on each day. */
export const deviceCounts = routeCode([], {
  query: Type.Object({ ...PERIOD, app_build: Type.Optional(Type.String()) }),
  responses: { 200: Type.Object({ daily: Counts, weekly: Counts, monthly: Counts }) },
  async handle(call) {
    const { jar, query } = call;
    const { days, versions } = readPeriod(query, jar.clock.now());
    const first = days[0];
    const last = days.at(-1);
    if (first === undefined || last === undefined) return ok({ daily: [], weekly: [], monthly: [] });
    const { app_build: build } = query;
    const activity = new Activity(first, days.length);
    const from = dayBefore(first, WINDOWS.monthly - 1);
    for await (const { day, installId, value } of readDeviceDays(jar.store, appOf(call).id, from, last, versions)) {
      // The public command line sends the version in the build parameter.
      if (build === undefined || build === value.build || build === value.version) activity.add(day, installId);
    }
    const counted = (window: keyof typeof WINDOWS) => {
      const counts = activity.counts(WINDOWS[window]);
      return perDay(days, (day) => counts[days.indexOf(day)] ?? 0);
    };
    return ok({ daily: counted('daily'), weekly: counted('weekly'), monthly: counted('monthly') });
  },
});

/** Days on which devices were active. Days must be added in order. */
class Activity {
  readonly #first: number;
  readonly #length: number;
  readonly #days = new Map<string, number[]>();

  constructor(first: string, length: number) {
    this.#first = startOfDay(first);
    this.#length = length;
  }

  add(day: string, installId: string): void {
    const index = (startOfDay(day) - this.#first) / DAY_MS;
    const known = this.#days.get(installId);
    if (known) known.push(index);
    else this.#days.set(installId, [index]);
  }

  /** For each day, the number of devices active on it or on earlier days of the window. */
  counts(window: number): number[] {
    // Difference per day: a device is added when it becomes active and removed one window later, unless it was active again.
    const changes = new Array<number>(this.#length + 1).fill(0);
    const at = (index: number): number => Math.min(Math.max(index, 0), this.#length);
    for (const days of this.#days.values()) {
      let covered = Number.NEGATIVE_INFINITY;
      for (const index of days) {
        const begin = at(Math.max(index, covered));
        const end = at(index + window);
        changes[begin] = (changes[begin] ?? 0) + 1;
        changes[end] = (changes[end] ?? 0) - 1;
        covered = index + window;
      }
    }
    let count = 0;
    return changes.slice(0, this.#length).map((change) => (count += change));
  }
}
