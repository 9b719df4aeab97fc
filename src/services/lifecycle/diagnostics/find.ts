import type { Call } from '../../../kernel/service/index.ts';
import { eq, type Reader } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import {
  groupKey,
  type Report,
  type ReportBody,
  type ReportGroup,
  reportBodies,
  reportGroups,
  reportKey,
  reports,
} from './collections.ts';

/** Finds the resources named in a URL. Ids are scoped to the app; ids of other apps are not found. */

export const noGroup = (id: string) =>
  errors.NotFound({ reason: `There is no error group '${id.slice(0, 100)}' in this app.` });
const noReport = (id: string) => errors.NotFound({ reason: `There is no error '${id.slice(0, 100)}' in this app.` });

export async function findGroup(call: Call, id: string, reader: Reader = call.jar.store): Promise<ReportGroup> {
  const group = (await reader.get(reportGroups, groupKey(appOf(call).id, id.toLowerCase())))?.value;
  if (!group) throw noGroup(id);
  return group;
}

/** If a group is given, the report must belong to it. */
export async function findReport(
  call: Call,
  id: string,
  groupId?: string,
  reader: Reader = call.jar.store,
): Promise<Report> {
  const report = (await reader.get(reports, reportKey(appOf(call).id, id.toLowerCase())))?.value;
  if (!report || (groupId !== undefined && report.groupId !== groupId.toLowerCase())) throw noReport(id);
  return report;
}

export async function bodyOf({ jar }: Pick<Call, 'jar'>, { appId, id }: Report): Promise<ReportBody> {
  const body = (await jar.store.get(reportBodies, reportKey(appId, id)))?.value;
  // Deleted between the two reads.
  if (!body) throw noReport(id);
  return body;
}

export async function latestReport(call: Call, group: ReportGroup): Promise<Report> {
  const order = [{ field: 'at', descending: true }];
  const [latest] = (await call.jar.store.query(reports, { filter: eq('groupId', group.id), order, limit: 1 })).items;
  if (!latest) throw noGroup(group.id);
  return latest.value;
}
