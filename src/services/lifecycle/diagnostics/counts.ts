import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, eq, type Filter, walk } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { systemOf } from '../logs/system-of.ts';
import { type Report, reports } from './collections.ts';
import { daysOf } from './days.ts';
import { findGroup } from './find.ts';
import {
  BUILD,
  DEFAULT_KIND,
  during,
  eqIfGiven,
  OneErrorType,
  ofKind,
  TOP,
  topOf,
  WINDOW,
  type Window,
  windowOf,
} from './query.ts';
import { DayCounts } from './schemas.ts';

export const countsPerDay = routeCode([], {
  query: Type.Object({ ...WINDOW, ...BUILD, errorType: Type.Optional(OneErrorType) }),
  responses: { 200: DayCounts },
  async handle(call) {
    const { version, app_build, errorType } = call.query;
    const filter = allOf(
      eq('appId', appOf(call).id),
      eqIfGiven('version', version),
      eqIfGiven('build', app_build),
      ofKind(errorType ?? DEFAULT_KIND),
    );
    return ok(await countDays(call.jar, filter, windowOf(call)));
  },
});

export const groupCountsPerDay = routeCode(['errorGroupId'], {
  query: Type.Object({ ...WINDOW, version: Type.Optional(Type.String()) }),
  responses: { 200: DayCounts },
  async handle(call) {
    const { id } = await findGroup(call, call.params.errorGroupId);
    const filter = allOf(eq('groupId', id), eqIfGiven('version', call.query.version));
    return ok(await countDays(call.jar, filter, windowOf(call)));
  },
});

async function countDays({ store }: Jar, filter: Filter, window: Window) {
  const days = [];
  let count = 0;
  for (const { day, ...part } of daysOf(window)) {
    const ofDay = await store.count(reports, { filter: allOf(filter, during('at', part)) });
    days.push({ datetime: day, count: ofDay });
    count += ofDay;
  }
  return { count, errors: days };
}

export const groupOperatingSystems = routeCode(['errorGroupId'], {
  query: Type.Object(TOP),
  responses: {
    200: Type.Object({
      errorCount: Type.Integer(),
      operatingSystems: Type.Array(Type.Object({ operatingSystemName: Type.String(), errorCount: Type.Integer() })),
    }),
  },
  async handle(call) {
    const { id, count } = await findGroup(call, call.params.errorGroupId);
    const found = await tally(call.jar, id, ({ device }) => systemOf(device) || 'Unknown', topOf(call.query));
    return ok({
      errorCount: count,
      operatingSystems: found.map(([operatingSystemName, errorCount]) => ({ operatingSystemName, errorCount })),
    });
  },
});

export const groupModels = routeCode(['errorGroupId'], {
  query: Type.Object(TOP),
  responses: {
    200: Type.Object({
      errorCount: Type.Integer(),
      models: Type.Array(
        Type.Object({ modelName: Type.String(), modelCode: Type.String(), errorCount: Type.Integer() }),
      ),
    }),
  },
  async handle(call) {
    const { id, count } = await findGroup(call, call.params.errorGroupId);
    const found = await tally(call.jar, id, ({ device }) => device.model ?? 'Unknown', topOf(call.query));
    return ok({
      errorCount: count,
      models: found.map(([model, errorCount]) => ({ modelName: model, modelCode: model, errorCount })),
    });
  },
});

/** Number of reports of a group per name, highest first. */
async function tally(jar: Jar, groupId: string, nameOf: (report: Report) => string, top: number) {
  const counts = new Map<string, number>();
  for await (const report of reportsOf(jar, eq('groupId', groupId))) {
    const name = nameOf(report);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)).slice(0, top);
}

/** Every report that matches a filter, oldest first. */
export async function* reportsOf({ store }: Jar, filter: Filter): AsyncGenerator<Report> {
  for await (const { value } of walk(store, reports, { filter, order: [{ field: 'at' }] })) yield value;
}
