import { operationsOf, type Row } from '../rows.ts';
import { listCrashSessionLogs } from '../session-logs.ts';
import {
  getCrashAttachmentLocation,
  getCrashAttachmentText,
  getCrashesInfo,
  listAppVersions,
  listCrashAttachments,
} from './crash-info.ts';
import {
  crashStackTrace,
  deleteCrash,
  downloadNativeCrash,
  getCrash,
  getNativeCrash,
  listCrashes,
  rawCrashLocation,
} from './crashes.ts';
import { crashGroupStackTrace, getCrashGroup, listCrashGroups, updateCrashGroup } from './groups.ts';
import { listWebhooks } from './webhooks.ts';

const GROUP = '/crash_groups/{crash_group_id}';
const CRASH = `${GROUP}/crashes/{crash_id}`;
const ATTACHMENTS = '/crashes/{crash_id}/attachments';

/** Older routes to the same reports. */
const ROWS: readonly Row[] = [
  ['crashes_getAppCrashesInfo', 'GET', '/crashes_info', 'Whether the app has reported anything', getCrashesInfo],
  ['crashes_getAppVersions', 'GET', '/versions', 'The builds that have reported anything', listAppVersions],
  ['crashGroups_list', 'GET', '/crash_groups', 'The groups of crashes and errors', listCrashGroups],
  ['crashGroups_get', 'GET', GROUP, 'A group of crashes or errors', getCrashGroup],
  [
    'crashGroups_update',
    'PATCH',
    GROUP,
    'Changes the state of a group (open, closed or ignored) or its annotation',
    updateCrashGroup,
    'appDevelop',
  ],
  [
    'crashGroups_getStacktrace',
    'GET',
    `${GROUP}/stacktrace`,
    'The stack trace of the newest report of a group',
    crashGroupStackTrace,
  ],
  ['crashes_list', 'GET', `${GROUP}/crashes`, 'The newest reports of a group', listCrashes],
  ['crashes_get', 'GET', CRASH, 'A crash or error', getCrash],
  ['crashes_delete', 'DELETE', CRASH, 'Deletes a crash or error with its attachments', deleteCrash, 'appDevelop'],
  ['crashes_getStacktrace', 'GET', `${CRASH}/stacktrace`, 'The stack trace of a crash or error', crashStackTrace],
  [
    'crashes_getRawCrashLocation',
    'GET',
    `${CRASH}/raw/location`,
    'A URL from which the report can be downloaded for an hour',
    rawCrashLocation,
  ],
  ['crashes_getNativeCrash', 'GET', `${CRASH}/native`, 'A crash as text', getNativeCrash],
  [
    'crashes_getNativeCrashDownload',
    'GET',
    `${CRASH}/native/download`,
    'A crash as a file of text',
    downloadNativeCrash,
  ],
  ['crashes_listAttachments', 'GET', ATTACHMENTS, 'The attachments of a crash or error', listCrashAttachments],
  [
    'crashes_getCrashTextAttachmentContent',
    'GET',
    `${ATTACHMENTS}/{attachment_id}/text`,
    'An attachment as text',
    getCrashAttachmentText,
  ],
  [
    'crashes_getCrashAttachmentLocation',
    'GET',
    `${ATTACHMENTS}/{attachment_id}/location`,
    'A URL from which an attachment can be downloaded for an hour',
    getCrashAttachmentLocation,
  ],
  [
    'crashes_listSessionLogs',
    'GET',
    '/crashes/{crash_id}/session_logs',
    'The logs of the session before the crash or error',
    listCrashSessionLogs,
  ],
];

export const CRASH_OPERATIONS = operationsOf(ROWS);

/** Webhooks cannot be configured, so the list is empty. */
export const WEBHOOK_OPERATIONS = operationsOf([
  ['webhooks_list', 'GET', '/webhooks', 'The webhooks of the app; always empty', listWebhooks, 'appSee'],
]);
