import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { groupKey, type Report, type ReportGroup, reportGroups } from '../diagnostics/collections.ts';
import { reportsOf } from '../diagnostics/counts.ts';
import { findGroup, noGroup } from '../diagnostics/find.ts';
import { routeCode } from '../jar.ts';
import { systemOf } from '../logs/system-of.ts';
import { byCount, Counts, perDay, Tally } from './counts.ts';
import { readCrashes } from './crashes.ts';
import { LISTING, PERIOD, readPeriod, readTop } from './query.ts';

/** Counts for crash groups. A group belongs to one version; a query for another version returns zero. */

const VERSION = { version: Type.Optional(Type.String()) };
const Overall = Type.Object({ crash_count: Type.Integer(), device_count: Type.Integer() });

const isOf = ({ version }: ReportGroup, asked: string | undefined): boolean =>
  asked === undefined || asked === '' || asked === version;

const overallOf = (group: ReportGroup, version: string | undefined) =>
  isOf(group, version)
    ? { crash_count: group.count, device_count: group.deviceCount }
    : { crash_count: 0, device_count: 0 };

async function findCrashGroup(call: Call, id: string): Promise<ReportGroup> {
  const group = await findGroup(call, id);
  if (group.kind !== 'unhandledError') throw noGroup(id);
  return group;
}

export const crashGroupTotals = routeCode(['crash_group_id'], {
  query: Type.Object(VERSION),
  responses: { 200: Overall },
  handle: async (call) =>
    ok(overallOf(await findCrashGroup(call as Call, call.params.crash_group_id), call.query.version)),
});

const MOST_GROUPS = 1000;

/** Totals of many groups at once; missing groups are omitted. */
export const crashGroupsTotals = routeCode([], {
  body: Type.Object({
    crash_groups: Type.Array(
      Type.Object({ crash_group_id: Type.String(), app_version: Type.Optional(Type.String()) }),
      { maxItems: MOST_GROUPS },
    ),
  }),
  responses: {
    200: Type.Array(Type.Object({ crash_group_id: Type.String(), app_version: Type.String(), overall: Overall })),
  },
  async handle(call) {
    const { jar, body } = call;
    const totals = [];
    for (const { crash_group_id: id, app_version: version } of body.crash_groups) {
      const group = (await jar.store.get(reportGroups, groupKey(appOf(call).id, id.toLowerCase())))?.value;
      if (group?.kind !== 'unhandledError') continue;
      totals.push({
        crash_group_id: group.id,
        app_version: version ?? group.version,
        overall: overallOf(group, version),
      });
    }
    return ok(totals);
  },
});

export const crashGroupCounts = routeCode(['crash_group_id'], {
  query: Type.Object({ start: PERIOD.start, end: PERIOD.end, ...VERSION }),
  responses: { 200: Type.Object({ count: Type.Integer(), crashes: Counts }) },
  async handle(call) {
    const { jar, query } = call;
    const { id, appId } = await findCrashGroup(call as Call, call.params.crash_group_id);
    const { start, end, version } = query;
    const period = readPeriod({ start, end, versions: version }, jar.clock.now());
    const perDays = new Tally();
    let count = 0;
    for await (const { day } of readCrashes(jar, appId, period, { op: 'eq', field: 'groupId', value: id })) {
      perDays.add(day);
      count++;
    }
    return ok({ count, crashes: perDay(period.days, (day) => perDays.count(day)) });
  },
});

/** `list` and `label` are the property names of the response for the array and its items. */
const crashesBy = (list: string, label: string, nameOf: (report: Report) => string) =>
  routeCode(['crash_group_id'], {
    query: Type.Object({ ...LISTING, ...VERSION }),
    responses: {
      200: Type.Object({
        crash_count: Type.Integer(),
        [list]: Type.Array(Type.Object({ [label]: Type.String(), crash_count: Type.Integer() })),
      }),
    },
    async handle(call) {
      const { jar, query } = call;
      const group = await findCrashGroup(call as Call, call.params.crash_group_id);
      const counts = isOf(group, query.version) ? await countBy(jar, group, nameOf) : new Tally();
      const found = [...counts.keys()].map((name) => ({ name, count: counts.count(name) })).sort(byCount);
      return ok({
        crash_count: found.reduce((sum, { count }) => sum + count, 0),
        [list]: found.slice(0, readTop(query.$top)).map(({ name, count }) => ({ [label]: name, crash_count: count })),
      });
    },
  });

async function countBy(jar: Jar, { id }: ReportGroup, nameOf: (report: Report) => string): Promise<Tally> {
  const tally = new Tally();
  for await (const report of reportsOf(jar, { op: 'eq', field: 'groupId', value: id })) tally.add(nameOf(report));
  return tally;
}

const UNKNOWN = 'Unknown';

export const crashGroupOperatingSystemCounts = crashesBy(
  'operating_systems',
  'operating_system_name',
  ({ device }) => systemOf(device) || UNKNOWN,
);

export const crashGroupModelCounts = crashesBy('models', 'model_name', ({ device }) => device.model ?? UNKNOWN);
