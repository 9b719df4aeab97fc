import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Filter } from '../../../kernel/store/index.ts';
import { dayOf, startOfDay } from '../../../kernel/time/index.ts';
import { appOf } from '../access/access.ts';
import type { Report } from '../diagnostics/collections.ts';
import { reportsOf } from '../diagnostics/counts.ts';
import { routeCode } from '../jar.ts';
import { Counts, DeviceSets, datetimeOf, perDay, Tally } from './counts.ts';
import { PERIOD, type Period, readPeriod } from './query.ts';
import { readPeriodDays } from './read-days.ts';
import { averageOf, percentageOf } from './unaffected.ts';

/** Crash statistics in relation to use. Details of crashes are in diagnostics. */

const CRASHES = { op: 'eq', field: 'kind', value: 'unhandledError' } as const;

/** The crashes of an app in a period, for the requested versions. */
export async function* readCrashes(
  jar: Jar,
  appId: string,
  { days, versions }: Pick<Period, 'days' | 'versions'>,
  ...conditions: readonly Filter[]
): AsyncGenerator<Report & { readonly day: string }> {
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return;
  const filter: Filter = {
    op: 'and',
    args: [
      { op: 'eq', field: 'appId', value: appId },
      { op: 'ge', field: 'at', value: datetimeOf(first) },
      CRASHES,
      ...conditions,
    ],
  };
  for await (const report of reportsOf(jar, filter)) {
    const day = dayOf(Date.parse(report.at));
    if (startOfDay(day) > startOfDay(last)) return;
    if (!versions || versions.has(report.version)) yield { ...report, day };
  }
}

export const crashCounts = routeCode([], {
  query: Type.Object(PERIOD),
  responses: { 200: Type.Object({ count: Type.Integer(), crashes: Counts }) },
  async handle(call) {
    const { jar, query } = call;
    const period = readPeriod(query, jar.clock.now());
    const perDays = new Tally();
    let count = 0;
    for await (const { day } of readCrashes(jar, appOf(call).id, period)) {
      perDays.add(day);
      count++;
    }
    return ok({ count, crashes: perDay(period.days, (day) => perDays.count(day)) });
  },
});

const Percentages = Type.Object({
  average_percentage: Type.Number(),
  daily_percentages: Type.Array(Type.Object({ datetime: Type.String(), percentage: Type.Number() })),
});

export const crashFreeDevicePercentages = routeCode([], {
  query: Type.Object({ start: PERIOD.start, end: PERIOD.end, version: Type.Optional(Type.String()) }),
  responses: { 200: Percentages },
  async handle(call) {
    const { jar, query } = call;
    const { id } = appOf(call);
    const { start, end, version } = query;
    const period = { ...readPeriod({ start, end, versions: version }, jar.clock.now()), previous: [] };
    const active = new DeviceSets();
    const crashed = new DeviceSets();
    for await (const { day, installId } of readPeriodDays(jar.store, id, period)) active.add(day, installId);
    for await (const { day, installId } of readCrashes(jar, id, period)) crashed.add(day, installId);
    const days = period.days.map((day) => ({ day, affected: crashed.count(day), active: active.count(day) }));
    return ok({
      average_percentage: averageOf(days),
      daily_percentages: days.map((each) => ({ datetime: datetimeOf(each.day), percentage: percentageOf(each) })),
    });
  },
});
