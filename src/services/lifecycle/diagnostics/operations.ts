import { operationsOf, type Row } from './rows.ts';

const groups = () => import('./groups.ts');
const errors = () => import('./errors-of-group.ts');
const traces = () => import('./traces.ts');
const counts = () => import('./counts.ts');
const percentages = () => import('./percentages.ts');
const builds = () => import('./builds.ts');
const search = () => import('./search.ts');
const attachments = () => import('./attachments.ts');
const retention = () => import('./retention-settings.ts');

const GROUP = '/errors/errorGroups/{errorGroupId}';
const ERROR = `${GROUP}/errors/{errorId}`;

/** Who develops the app says what becomes of a group. */
const ROWS: readonly Row[] = [
  [
    'errors_groupList',
    'GET',
    '/errors/errorGroups',
    'The groups of crashes and errors in a time',
    async () => (await groups()).listGroups,
  ],
  [
    'errors_errorGroupsSearch',
    'GET',
    '/errors/errorGroups/search',
    'Searches the groups of crashes and errors',
    async () => (await search()).searchGroups,
  ],
  ['errors_groupDetails', 'GET', GROUP, 'A group of crashes or errors', async () => (await groups()).getGroup],
  [
    'errors_updateState',
    'PATCH',
    GROUP,
    'Opens, closes or ignores a group, or notes something about it',
    async () => (await groups()).updateGroup,
    'appDevelop',
  ],
  [
    'errors_listForGroup',
    'GET',
    `${GROUP}/errors`,
    'The crashes or errors of a group, newest first',
    async () => (await errors()).listErrors,
  ],
  [
    'errors_latestErrorDetails',
    'GET',
    `${GROUP}/errors/latest`,
    'The newest crash or error of a group',
    async () => (await errors()).latestError,
  ],
  ['errors_getErrorDetails', 'GET', ERROR, 'A crash or error', async () => (await errors()).getError],
  [
    'errors_deleteError',
    'DELETE',
    ERROR,
    'Deletes a crash or error with its attachments',
    async () => (await errors()).deleteError,
    'appDevelop',
  ],
  [
    'errors_groupErrorStackTrace',
    'GET',
    `${GROUP}/stacktrace`,
    'The stack trace of the newest report of a group',
    async () => (await traces()).groupStackTrace,
  ],
  [
    'errors_errorStackTrace',
    'GET',
    `${ERROR}/stacktrace`,
    'The stack trace of a crash or error',
    async () => (await traces()).errorStackTrace,
  ],
  [
    'errors_errorLocation',
    'GET',
    `${ERROR}/location`,
    'An address from which the report can be fetched for an hour',
    async () => (await traces()).errorLocation,
  ],
  [
    'errors_errorDownload',
    'GET',
    `${ERROR}/download`,
    'The report as a file, as JSON or as text',
    async () => (await traces()).errorDownload,
  ],
  [
    'errors_groupOperatingSystemCounts',
    'GET',
    `${GROUP}/operatingSystems`,
    'The systems on which a group occurred',
    async () => (await counts()).groupOperatingSystems,
  ],
  [
    'errors_groupModelCounts',
    'GET',
    `${GROUP}/models`,
    'The models of devices on which a group occurred',
    async () => (await counts()).groupModels,
  ],
  [
    'errors_groupCountsPerDay',
    'GET',
    `${GROUP}/errorCountsPerDay`,
    'How often a group occurred, day by day',
    async () => (await counts()).groupCountsPerDay,
  ],
  [
    'errors_countsPerDay',
    'GET',
    '/errors/errorCountsPerDay',
    'How many crashes or errors there were, day by day',
    async () => (await counts()).countsPerDay,
  ],
  [
    'errors_groupErrorFreeDevicePercentages',
    'GET',
    `${GROUP}/errorfreeDevicePercentages`,
    'How many of the active devices did not have a group, day by day',
    async () => (await percentages()).groupErrorFreeDevices,
  ],
  [
    'errors_errorFreeDevicePercentages',
    'GET',
    '/errors/errorfreeDevicePercentages',
    'How many of the active devices had no crash or error, day by day',
    async () => (await percentages()).errorFreeDevices,
  ],
  [
    'errors_availableVersions',
    'GET',
    '/errors/available_versions',
    'The versions that have reported a crash or error',
    async () => (await builds()).availableVersions,
  ],
  [
    'errors_appBuildsList',
    'GET',
    '/errors/availableAppBuilds',
    'The builds of a version that have reported a crash or error',
    async () => (await builds()).availableAppBuilds,
  ],
  [
    'errors_errorSearch',
    'GET',
    '/errors/search',
    'Searches the crashes and errors',
    async () => (await search()).searchErrors,
  ],
  [
    'errors_errorAttachments',
    'GET',
    '/errors/{errorId}/attachments',
    'The attachments of a crash or error',
    async () => (await attachments()).listAttachments,
  ],
  [
    'errors_errorAttachmentText',
    'GET',
    '/errors/{errorId}/attachments/{attachmentId}/text',
    'An attachment as text',
    async () => (await attachments()).getAttachmentText,
  ],
  [
    'errors_errorAttachmentLocation',
    'GET',
    '/errors/{errorId}/attachments/{attachmentId}/location',
    'An address from which an attachment can be fetched for an hour',
    async () => (await attachments()).getAttachmentLocation,
  ],
  [
    'errors_listSessionLogs',
    'GET',
    '/errors/{errorId}/sessionLogs',
    'What the device told in the session before it happened',
    async () => (await import('./session-logs.ts')).listSessionLogs,
  ],
  [
    'errors_getRetentionSettings',
    'GET',
    '/errors/retention_settings',
    'How many days reports are kept',
    async () => (await retention()).getRetentionSettings,
  ],
  [
    'errors_putRetentionSettings',
    'PUT',
    '/errors/retention_settings',
    'Says how many days reports are kept: 28 or 90',
    async () => (await retention()).putRetentionSettings,
    'appManage',
  ],
];

export const DIAGNOSTICS_OPERATIONS = operationsOf(ROWS);
