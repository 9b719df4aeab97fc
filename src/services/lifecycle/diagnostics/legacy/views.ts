import type { App } from '../../collections.ts';
import { underscored } from '../../underscored.ts';
import { blobLocationOf } from '../attachments.ts';
import type { Attachment, Report, ReportBody, ReportGroup } from '../collections.ts';
import { textOf } from '../read-log.ts';
import { reasonFrameView } from '../views.ts';

/** Reports and groups with the property names of the older routes. */

const withOlderNames = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [underscored(name), value]));

/** A short id for display. */
const displayIdOf = ({ id }: { readonly id: string }): string => id.slice(0, 8);

export function crashGroupView(group: ReportGroup, app: App) {
  const { reasonFrame, exceptionType, osExceptionType } = group;
  const types = { exceptionType, ...(osExceptionType !== undefined && { osExceptionType }) };
  return {
    crash_group_id: group.id,
    new_crash_group_id: group.id,
    display_id: displayIdOf(group),
    app_version: group.version,
    build: group.build,
    status: group.state,
    count: group.count,
    impacted_users: group.deviceCount,
    first_occurrence: group.firstOccurrence,
    last_occurrence: group.lastOccurrence,
    exception: exceptionType,
    crash_reason: group.exceptionMessage ?? exceptionType,
    ...(reasonFrame && { reason_frame: withOlderNames(reasonFrameView(reasonFrame, app, types)) }),
    fatal: group.kind === 'unhandledError',
    annotation: group.annotation ?? '',
  };
}

export function crashView(report: Report) {
  const { id, groupId, device } = report;
  return {
    new_crash_group_id: groupId,
    crash_id: id,
    new_crash_id: id,
    display_id: displayIdOf(report),
    timestamp: report.at,
    version: report.version,
    build: report.build,
    device: device.model ?? '',
    ...(device.model !== undefined && { device_name: device.model }),
    os_version: device.osVersion ?? '',
    ...(device.osName !== undefined && { os_type: device.osName }),
    user_name: report.userId ?? '',
  };
}

export function crashDetails({ device }: Report, { content }: ReportBody) {
  const launchedAt = textOf(content.appLaunchTimestamp);
  return {
    ...(device.carrierCountry !== undefined && { carrier_country: device.carrierCountry }),
    ...(device.carrierName !== undefined && { carrier_name: device.carrierName }),
    locale: device.locale ?? '',
    ...(device.osBuild !== undefined && { os_build: device.osBuild }),
    rooted: content.jailbreak === true,
    screen_size: device.screenSize ?? '',
    ...(launchedAt !== undefined && { app_start_timestamp: launchedAt }),
  };
}

export const crashAttachmentView = (attachment: Attachment) => ({
  app_id: attachment.appId,
  attachment_id: attachment.id,
  crash_id: attachment.reportId,
  blob_location: blobLocationOf(attachment),
  content_type: attachment.contentType,
  file_name: attachment.fileName,
  created_time: attachment.createdAt,
  size: attachment.size,
});
