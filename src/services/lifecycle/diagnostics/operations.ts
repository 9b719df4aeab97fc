import type { AnyRouteCode } from '../../../kernel/http/route.ts';
import type { NeedName, Operation } from '../operation.ts';

const groups = () => import('./groups.ts');
const errors = () => import('./errors-of-group.ts');
const traces = () => import('./traces.ts');
const counts = () => import('./counts.ts');
const percentages = () => import('./percentages.ts');
const builds = () => import('./builds.ts');
const search = () => import('./search.ts');
const attachments = () => import('./attachments.ts');
const retention = () => import('./retention-settings.ts');

const APP = '/apps/{owner_name}/{app_name}/errors';
const GROUP = '/errorGroups/{errorGroupId}';
const ERROR = `${GROUP}/errors/{errorId}`;

type Row = readonly [
  operation: string,
  method: Operation['method'],
  path: string,
  summary: string,
  code: () => Promise<AnyRouteCode>,
  needs?: NeedName,
];

/** Diagnostics are read by whoever may read about the app; who develops it says what becomes of a group. */
const ROWS: readonly Row[] = [
  [
    'groupList',
    'GET',
    '/errorGroups',
    'The groups of crashes and errors in a time',
    async () => (await groups()).listGroups,
  ],
  [
    'errorGroupsSearch',
    'GET',
    '/errorGroups/search',
    'Searches the groups of crashes and errors',
    async () => (await search()).searchGroups,
  ],
  ['groupDetails', 'GET', GROUP, 'A group of crashes or errors', async () => (await groups()).getGroup],
  [
    'updateState',
    'PATCH',
    GROUP,
    'Opens, closes or ignores a group, or notes something about it',
    async () => (await groups()).updateGroup,
    'appDevelop',
  ],
  [
    'listForGroup',
    'GET',
    `${GROUP}/errors`,
    'The crashes or errors of a group, newest first',
    async () => (await errors()).listErrors,
  ],
  [
    'latestErrorDetails',
    'GET',
    `${GROUP}/errors/latest`,
    'The newest crash or error of a group',
    async () => (await errors()).latestError,
  ],
  ['getErrorDetails', 'GET', ERROR, 'A crash or error', async () => (await errors()).getError],
  [
    'deleteError',
    'DELETE',
    ERROR,
    'Deletes a crash or error with its attachments',
    async () => (await errors()).deleteError,
    'appDevelop',
  ],
  [
    'groupErrorStackTrace',
    'GET',
    `${GROUP}/stacktrace`,
    'The stack trace of the newest report of a group',
    async () => (await traces()).groupStackTrace,
  ],
  [
    'errorStackTrace',
    'GET',
    `${ERROR}/stacktrace`,
    'The stack trace of a crash or error',
    async () => (await traces()).errorStackTrace,
  ],
  [
    'errorLocation',
    'GET',
    `${ERROR}/location`,
    'An address from which the report can be fetched for an hour',
    async () => (await traces()).errorLocation,
  ],
  [
    'errorDownload',
    'GET',
    `${ERROR}/download`,
    'The report as a file, as JSON or as text',
    async () => (await traces()).errorDownload,
  ],
  [
    'groupOperatingSystemCounts',
    'GET',
    `${GROUP}/operatingSystems`,
    'The systems on which a group occurred',
    async () => (await counts()).groupOperatingSystems,
  ],
  [
    'groupModelCounts',
    'GET',
    `${GROUP}/models`,
    'The models of devices on which a group occurred',
    async () => (await counts()).groupModels,
  ],
  [
    'groupCountsPerDay',
    'GET',
    `${GROUP}/errorCountsPerDay`,
    'How often a group occurred, day by day',
    async () => (await counts()).groupCountsPerDay,
  ],
  [
    'countsPerDay',
    'GET',
    '/errorCountsPerDay',
    'How many crashes or errors there were, day by day',
    async () => (await counts()).countsPerDay,
  ],
  [
    'groupErrorFreeDevicePercentages',
    'GET',
    `${GROUP}/errorfreeDevicePercentages`,
    'How many of the active devices did not have a group, day by day',
    async () => (await percentages()).groupErrorFreeDevices,
  ],
  [
    'errorFreeDevicePercentages',
    'GET',
    '/errorfreeDevicePercentages',
    'How many of the active devices had no crash or error, day by day',
    async () => (await percentages()).errorFreeDevices,
  ],
  [
    'availableVersions',
    'GET',
    '/available_versions',
    'The versions that have reported a crash or error',
    async () => (await builds()).availableVersions,
  ],
  [
    'appBuildsList',
    'GET',
    '/availableAppBuilds',
    'The builds of a version that have reported a crash or error',
    async () => (await builds()).availableAppBuilds,
  ],
  ['errorSearch', 'GET', '/search', 'Searches the crashes and errors', async () => (await search()).searchErrors],
  [
    'errorAttachments',
    'GET',
    '/{errorId}/attachments',
    'The attachments of a crash or error',
    async () => (await attachments()).listAttachments,
  ],
  [
    'errorAttachmentText',
    'GET',
    '/{errorId}/attachments/{attachmentId}/text',
    'An attachment as text',
    async () => (await attachments()).getAttachmentText,
  ],
  [
    'errorAttachmentLocation',
    'GET',
    '/{errorId}/attachments/{attachmentId}/location',
    'An address from which an attachment can be fetched for an hour',
    async () => (await attachments()).getAttachmentLocation,
  ],
  [
    'listSessionLogs',
    'GET',
    '/{errorId}/sessionLogs',
    'What the device told in the session before it happened',
    async () => (await import('./session-logs.ts')).listSessionLogs,
  ],
  [
    'getRetentionSettings',
    'GET',
    '/retention_settings',
    'How many days reports are kept',
    async () => (await retention()).getRetentionSettings,
  ],
  [
    'putRetentionSettings',
    'PUT',
    '/retention_settings',
    'Says how many days reports are kept: 28 or 90',
    async () => (await retention()).putRetentionSettings,
    'appManage',
  ],
];

export const DIAGNOSTICS_OPERATIONS: readonly Operation[] = ROWS.map(
  ([operation, method, path, summary, code, needs = 'appRead']) => ({
    method,
    path: APP + path,
    operation: `errors_${operation}`,
    summary,
    needs,
    code,
  }),
);
