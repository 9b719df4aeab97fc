import type { Tx } from '../../../kernel/store/index.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import {
  attachmentKey,
  attachments,
  groupDevices,
  groupKey,
  type Report,
  type ReportGroup,
  reportBodies,
  reportGroups,
  reportKey,
  reports,
} from './collections.ts';
import { dropFile, putFile } from './files.ts';
import { NativeCode } from './frames.ts';
import { idOf, readAttachment } from './read-log.ts';
import { groupIdOf, type ReportSummary, reportSummaryOf, stableId } from './read-report.ts';
import { wakeRetention } from './retention-due.ts';

/** Writes of a report: the report, its group, and the group's device count. All in one transaction that holds `lockReports`. */

/** Serialises writers, so that group counts and attachment counts are correct. */
export const lockReports = (tx: Tx, appId: string): Promise<void> => tx.lock(`lifecycle.reports/${appId}`);

const MOST_ATTACHMENTS = 1000;
const isoText = (time: number): string => new Date(time).toISOString();
const deviceKey = ({ appId, groupId, installId }: Report): string => `${appId}/${groupId}/${installId}`;

/** Does nothing if the report already exists. */
export async function addReport(tx: Tx, delivery: Delivery, log: AppLog): Promise<void> {
  const id = idOf(log);
  const essence = reportSummaryOf(log);
  if (id === undefined || !essence) return;
  const { app, installId, receivedAt } = delivery;
  const key = reportKey(app.id, id);
  if (await tx.get(reports, key)) return;
  const { kind, exceptionType, exceptionMessage, reasonFrame, fingerprint } = essence;
  const { appVersion: version = '', appBuild: build = '' } = log.device;
  const report: Report = {
    id,
    appId: app.id,
    groupId: groupIdOf(app.id, version, build, fingerprint),
    kind,
    at: isoText(log.at),
    receivedAt: isoText(receivedAt),
    installId,
    ...(log.sessionId !== undefined && { sessionId: log.sessionId }),
    ...(log.userId !== undefined && { userId: log.userId }),
    version,
    build,
    device: log.device,
    exceptionType,
    ...(exceptionMessage !== undefined && { exceptionMessage }),
    ...(reasonFrame && { reasonFrame }),
    attachments: await tx.count(attachments, { prefix: `${key}/` }),
    ...symbolsFor(app.id, log),
  };
  await tx.put(reports, key, report, { ifNoneMatch: '*' });
  await tx.put(reportBodies, key, { type: log.type, content: log.content });
  const isNewGroup = await countReport(tx, report, essence);
  await wakeRetention(tx, report);
  await tx.change({
    source: 'lifecycle',
    kind: 'write',
    subject: `lifecycle/apps/${app.id}/errors/${id}`,
    outcome: 'Succeeded',
    at: receivedAt,
    data: { errorType: kind, errorGroupId: report.groupId, isNewGroup, exceptionType },
  });
}

/** Only native crashes need symbols. */
function symbolsFor(appId: string, { type, content, device }: AppLog): Pick<Report, 'symbols'> {
  const binaries = type === 'appleError' ? new NativeCode(content).own.map(({ id, name }) => ({ id, name })) : [];
  if (binaries.length === 0) return {};
  const ids = binaries.map(({ id }) => id).sort();
  const groupId = stableId(['symbols', appId, device.appVersion ?? '', device.appBuild ?? '', ...ids]);
  return { symbols: { groupId, binaries } };
}

/** Returns true if the report is the first of its group. */
async function countReport(tx: Tx, report: Report, { osExceptionType }: ReportSummary): Promise<boolean> {
  const key = groupKey(report.appId, report.groupId);
  const group = (await tx.get(reportGroups, key))?.value;
  const isNewDevice = await countDevice(tx, report);
  const { kind, version, build, at, exceptionType, exceptionMessage, reasonFrame, appId, groupId } = report;
  const next: ReportGroup = group
    ? {
        ...group,
        count: group.count + 1,
        deviceCount: group.deviceCount + (isNewDevice ? 1 : 0),
        ...(at < group.firstOccurrence && { firstOccurrence: at }),
        ...(at > group.lastOccurrence && { lastOccurrence: at }),
      }
    : {
        id: groupId,
        appId,
        kind,
        version,
        build,
        state: 'open',
        count: 1,
        deviceCount: 1,
        firstOccurrence: at,
        lastOccurrence: at,
        exceptionType,
        ...(exceptionMessage !== undefined && { exceptionMessage }),
        ...(osExceptionType !== undefined && { osExceptionType }),
        ...(reasonFrame && { reasonFrame }),
      };
  await tx.put(reportGroups, key, next);
  return group === undefined;
}

async function countDevice(tx: Tx, report: Report): Promise<boolean> {
  const before = (await tx.get(groupDevices, deviceKey(report)))?.value.count ?? 0;
  await tx.put(groupDevices, deviceKey(report), { count: before + 1 });
  return before === 0;
}

/** Does nothing if the attachment already exists. Its report may arrive later. */
export async function addAttachment(tx: Tx, { app, receivedAt }: Delivery, log: AppLog): Promise<void> {
  const sent = readAttachment(log);
  if (!sent) return;
  const { id, reportId, contentType, fileName, bytes } = sent;
  const key = attachmentKey(app.id, reportId, id);
  if (await tx.get(attachments, key)) return;
  const createdAt = isoText(receivedAt);
  await tx.put(attachments, key, { id, appId: app.id, reportId, contentType, fileName, size: bytes.length, createdAt });
  await putFile(tx, key, bytes);
  await wakeRetention(tx, { appId: app.id, at: createdAt });
  const report = await tx.get(reports, reportKey(app.id, reportId));
  if (report) await tx.put(reports, report.key, { ...report.value, attachments: report.value.attachments + 1 });
}

/** Returns the number of attachments deleted with the report. The group is deleted with its last report. */
export async function dropReport(tx: Tx, report: Report): Promise<number> {
  const key = reportKey(report.appId, report.id);
  await tx.delete(reports, key);
  await tx.delete(reportBodies, key);
  await uncountReport(tx, report);
  const { items } = await tx.query(attachments, { prefix: `${key}/`, limit: MOST_ATTACHMENTS });
  for (const each of items) await dropAttachment(tx, each.key);
  return items.length;
}

export async function dropAttachment(tx: Tx, key: string): Promise<void> {
  await tx.delete(attachments, key);
  await dropFile(tx, key);
}

async function uncountReport(tx: Tx, report: Report): Promise<void> {
  const devices = (await tx.get(groupDevices, deviceKey(report)))?.value.count ?? 1;
  if (devices <= 1) await tx.delete(groupDevices, deviceKey(report));
  else await tx.put(groupDevices, deviceKey(report), { count: devices - 1 });
  const key = groupKey(report.appId, report.groupId);
  const group = (await tx.get(reportGroups, key))?.value;
  if (!group) return;
  if (group.count <= 1) {
    await tx.delete(reportGroups, key);
    return;
  }
  await tx.put(reportGroups, key, {
    ...group,
    count: group.count - 1,
    deviceCount: group.deviceCount - (devices <= 1 ? 1 : 0),
    firstOccurrence: (await occurrence(tx, report.groupId, false)) ?? group.firstOccurrence,
    lastOccurrence: (await occurrence(tx, report.groupId, true)) ?? group.lastOccurrence,
  });
}

/** The first or last remaining occurrence. */
async function occurrence(tx: Tx, groupId: string, descending: boolean): Promise<string | undefined> {
  const filter = { op: 'eq', field: 'groupId', value: groupId } as const;
  return (await tx.query(reports, { filter, order: [{ field: 'at', descending }], limit: 1 })).items[0]?.value.at;
}
