import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, eq, type Filter, walk } from '../../../kernel/store/index.ts';
import { dayOf } from '../../../kernel/time/index.ts';
import { appOf } from '../access/access.ts';
import { deviceDays } from '../analytics/collections.ts';
import { averageOf, type DayOfDevices, percentageOf } from '../analytics/unaffected.ts';
import { routeCode } from '../jar.ts';
import { reportsOf } from './counts.ts';
import { daysOf } from './days.ts';
import { findGroup } from './find.ts';
import { DEFAULT_KIND, during, eqIfGiven, OneErrorType, ofKind, WINDOW, type Window, windowOf } from './query.ts';
import { Percentages } from './schemas.ts';

const Versions = Type.Optional(Type.String({ description: 'Separated by |' }));

export const errorFreeDevices = routeCode([], {
  query: Type.Object({
    ...WINDOW,
    versions: Versions,
    app_build: Type.Optional(Type.String()),
    errorType: Type.Optional(OneErrorType),
  }),
  responses: { 200: Percentages },
  async handle(call) {
    const { versions, app_build, errorType } = call.query;
    const { id } = appOf(call);
    const wanted = versions === undefined || versions === '' ? undefined : versions.split('|');
    const filter = allOf(
      eq('appId', id),
      wanted && { op: 'in', field: 'version', values: wanted },
      eqIfGiven('build', app_build),
      ofKind(errorType ?? DEFAULT_KIND),
    );
    const isCounted: IsCounted = ({ version, build }) =>
      (!wanted || wanted.includes(version)) && (!app_build || app_build === build);
    return ok(await percentages(call.jar, id, windowOf(call), filter, isCounted));
  },
});

export const groupErrorFreeDevices = routeCode(['errorGroupId'], {
  query: Type.Object(WINDOW),
  responses: { 200: Percentages },
  async handle(call) {
    const group = await findGroup(call, call.params.errorGroupId);
    const isCounted: IsCounted = ({ version, build }) => version === group.version && build === group.build;
    return ok(await percentages(call.jar, group.appId, windowOf(call), eq('groupId', group.id), isCounted));
  },
});

type IsCounted = (build: { readonly version: string; readonly build: string }) => boolean;

async function percentages(jar: Jar, appId: string, window: Window, filter: Filter, isCounted: IsCounted) {
  const affected = new Map<string, Set<string>>();
  for await (const { at, installId } of reportsOf(jar, allOf(filter, during('at', window)))) {
    const day = dayOf(Date.parse(at));
    const devices = affected.get(day) ?? new Set();
    affected.set(day, devices.add(installId));
  }
  const days: (DayOfDevices & { readonly datetime: string })[] = [];
  for (const { day: datetime } of daysOf(window)) {
    const day = dayOf(Date.parse(datetime));
    const active = await activeDevices(jar, `${appId}/${day}/`, isCounted);
    days.push({ datetime, affected: affected.get(day)?.size ?? 0, active });
  }
  return {
    averagePercentage: averageOf(days),
    dailyPercentages: days.map((each) => ({ datetime: each.datetime, percentage: percentageOf(each) })),
  };
}

async function activeDevices({ store }: Jar, prefix: string, isCounted: IsCounted): Promise<number> {
  const devices = new Set<string>();
  for await (const { key, value } of walk(store, deviceDays, { prefix })) {
    if (isCounted(value)) devices.add(key.slice(prefix.length).split('/', 1)[0] as string);
  }
  return devices.size;
}
