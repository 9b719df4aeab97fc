import { operationsOf, type Row } from '../rows.ts';

const groups = () => import('./groups.ts');
const crashes = () => import('./crashes.ts');
const info = () => import('./crash-info.ts');

const GROUP = '/crash_groups/{crash_group_id}';
const CRASH = `${GROUP}/crashes/{crash_id}`;
const ATTACHMENTS = '/crashes/{crash_id}/attachments';

/** The older way to the same reports. */
const ROWS: readonly Row[] = [
  [
    'crashes_getAppCrashesInfo',
    'GET',
    '/crashes_info',
    'Whether the app has reported anything',
    async () => (await info()).getCrashesInfo,
  ],
  [
    'crashes_getAppVersions',
    'GET',
    '/versions',
    'The builds that have reported anything',
    async () => (await info()).listAppVersions,
  ],
  [
    'crashGroups_list',
    'GET',
    '/crash_groups',
    'The groups of crashes and errors',
    async () => (await groups()).listCrashGroups,
  ],
  ['crashGroups_get', 'GET', GROUP, 'A group of crashes or errors', async () => (await groups()).getCrashGroup],
  [
    'crashGroups_update',
    'PATCH',
    GROUP,
    'Opens, closes or ignores a group, or notes something about it',
    async () => (await groups()).updateCrashGroup,
    'appDevelop',
  ],
  [
    'crashGroups_getStacktrace',
    'GET',
    `${GROUP}/stacktrace`,
    'The stack trace of the newest report of a group',
    async () => (await groups()).crashGroupStackTrace,
  ],
  [
    'crashes_list',
    'GET',
    `${GROUP}/crashes`,
    'The newest reports of a group',
    async () => (await crashes()).listCrashes,
  ],
  ['crashes_get', 'GET', CRASH, 'A crash or error', async () => (await crashes()).getCrash],
  [
    'crashes_delete',
    'DELETE',
    CRASH,
    'Deletes a crash or error with its attachments',
    async () => (await crashes()).deleteCrash,
    'appDevelop',
  ],
  [
    'crashes_getStacktrace',
    'GET',
    `${CRASH}/stacktrace`,
    'The stack trace of a crash or error',
    async () => (await crashes()).crashStackTrace,
  ],
  [
    'crashes_getRawCrashLocation',
    'GET',
    `${CRASH}/raw/location`,
    'An address from which the report can be fetched for an hour',
    async () => (await crashes()).rawCrashLocation,
  ],
  ['crashes_getNativeCrash', 'GET', `${CRASH}/native`, 'A crash as text', async () => (await crashes()).getNativeCrash],
  [
    'crashes_getNativeCrashDownload',
    'GET',
    `${CRASH}/native/download`,
    'A crash as a file of text',
    async () => (await crashes()).downloadNativeCrash,
  ],
  [
    'crashes_listAttachments',
    'GET',
    ATTACHMENTS,
    'The attachments of a crash or error',
    async () => (await info()).listCrashAttachments,
  ],
  [
    'crashes_getCrashTextAttachmentContent',
    'GET',
    `${ATTACHMENTS}/{attachment_id}/text`,
    'An attachment as text',
    async () => (await info()).getCrashAttachmentText,
  ],
  [
    'crashes_getCrashAttachmentLocation',
    'GET',
    `${ATTACHMENTS}/{attachment_id}/location`,
    'An address from which an attachment can be fetched for an hour',
    async () => (await info()).getCrashAttachmentLocation,
  ],
  [
    'crashes_listSessionLogs',
    'GET',
    '/crashes/{crash_id}/session_logs',
    'What the device told in the session before it happened',
    async () => (await import('../session-logs.ts')).listCrashSessionLogs,
  ],
];

export const CRASH_OPERATIONS = operationsOf(ROWS);

/** Nothing can be configured to be told, so there is nothing to list. */
export const WEBHOOK_OPERATIONS = operationsOf([
  [
    'webhooks_list',
    'GET',
    '/webhooks',
    'The webhooks of the app, of which there are none',
    async () => (await import('./webhooks.ts')).listWebhooks,
    'appSee',
  ],
]);
