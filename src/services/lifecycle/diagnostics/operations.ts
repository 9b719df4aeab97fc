import { getAttachmentLocation, getAttachmentText, listAttachments } from './attachments.ts';
import { availableAppBuilds, availableVersions } from './builds.ts';
import { countsPerDay, groupCountsPerDay, groupModels, groupOperatingSystems } from './counts.ts';
import { deleteError, getError, latestError, listErrors } from './errors-of-group.ts';
import { getGroup, listGroups, updateGroup } from './groups.ts';
import { errorFreeDevices, groupErrorFreeDevices } from './percentages.ts';
import { getRetentionSettings, putRetentionSettings } from './retention-settings.ts';
import { operationsOf, type Row } from './rows.ts';
import { searchErrors, searchGroups } from './search.ts';
import { listSessionLogs } from './session-logs.ts';
import { errorDownload, errorLocation, errorStackTrace, groupStackTrace } from './traces.ts';

const GROUP = '/errors/errorGroups/{errorGroupId}';
const ERROR = `${GROUP}/errors/{errorId}`;

/** The state of a group can be changed by developers of the app. */
const ROWS: readonly Row[] = [
  ['errors_groupList', 'GET', '/errors/errorGroups', 'The groups of crashes and errors in a period', listGroups],
  [
    'errors_errorGroupsSearch',
    'GET',
    '/errors/errorGroups/search',
    'Searches the groups of crashes and errors',
    searchGroups,
  ],
  ['errors_groupDetails', 'GET', GROUP, 'A group of crashes or errors', getGroup],
  [
    'errors_updateState',
    'PATCH',
    GROUP,
    'Changes the state of a group (open, closed or ignored) or its annotation',
    updateGroup,
    'appDevelop',
  ],
  ['errors_listForGroup', 'GET', `${GROUP}/errors`, 'The crashes or errors of a group, newest first', listErrors],
  ['errors_latestErrorDetails', 'GET', `${GROUP}/errors/latest`, 'The newest crash or error of a group', latestError],
  ['errors_getErrorDetails', 'GET', ERROR, 'A crash or error', getError],
  ['errors_deleteError', 'DELETE', ERROR, 'Deletes a crash or error with its attachments', deleteError, 'appDevelop'],
  [
    'errors_groupErrorStackTrace',
    'GET',
    `${GROUP}/stacktrace`,
    'The stack trace of the newest report of a group',
    groupStackTrace,
  ],
  ['errors_errorStackTrace', 'GET', `${ERROR}/stacktrace`, 'The stack trace of a crash or error', errorStackTrace],
  [
    'errors_errorLocation',
    'GET',
    `${ERROR}/location`,
    'A URL from which the report can be downloaded for an hour',
    errorLocation,
  ],
  ['errors_errorDownload', 'GET', `${ERROR}/download`, 'The report as a file, as JSON or as text', errorDownload],
  [
    'errors_groupOperatingSystemCounts',
    'GET',
    `${GROUP}/operatingSystems`,
    'The systems on which a group occurred',
    groupOperatingSystems,
  ],
  ['errors_groupModelCounts', 'GET', `${GROUP}/models`, 'The models of devices on which a group occurred', groupModels],
  [
    'errors_groupCountsPerDay',
    'GET',
    `${GROUP}/errorCountsPerDay`,
    'Occurrences of a group per day',
    groupCountsPerDay,
  ],
  ['errors_countsPerDay', 'GET', '/errors/errorCountsPerDay', 'Crashes or errors per day', countsPerDay],
  [
    'errors_groupErrorFreeDevicePercentages',
    'GET',
    `${GROUP}/errorfreeDevicePercentages`,
    'Active devices not affected by a group, per day',
    groupErrorFreeDevices,
  ],
  [
    'errors_errorFreeDevicePercentages',
    'GET',
    '/errors/errorfreeDevicePercentages',
    'Active devices without a crash or error, per day',
    errorFreeDevices,
  ],
  [
    'errors_availableVersions',
    'GET',
    '/errors/available_versions',
    'The versions that have reported a crash or error',
    availableVersions,
  ],
  [
    'errors_appBuildsList',
    'GET',
    '/errors/availableAppBuilds',
    'The builds of a version that have reported a crash or error',
    availableAppBuilds,
  ],
  ['errors_errorSearch', 'GET', '/errors/search', 'Searches the crashes and errors', searchErrors],
  [
    'errors_errorAttachments',
    'GET',
    '/errors/{errorId}/attachments',
    'The attachments of a crash or error',
    listAttachments,
  ],
  [
    'errors_errorAttachmentText',
    'GET',
    '/errors/{errorId}/attachments/{attachmentId}/text',
    'An attachment as text',
    getAttachmentText,
  ],
  [
    'errors_errorAttachmentLocation',
    'GET',
    '/errors/{errorId}/attachments/{attachmentId}/location',
    'A URL from which an attachment can be downloaded for an hour',
    getAttachmentLocation,
  ],
  [
    'errors_listSessionLogs',
    'GET',
    '/errors/{errorId}/sessionLogs',
    'The logs of the session before the crash or error',
    listSessionLogs,
  ],
  [
    'errors_getRetentionSettings',
    'GET',
    '/errors/retention_settings',
    'The retention of reports in days',
    getRetentionSettings,
  ],
  [
    'errors_putRetentionSettings',
    'PUT',
    '/errors/retention_settings',
    'Sets the retention of reports in days: 28 or 90',
    putRetentionSettings,
    'appManage',
  ],
];

export const DIAGNOSTICS_OPERATIONS = operationsOf(ROWS);
