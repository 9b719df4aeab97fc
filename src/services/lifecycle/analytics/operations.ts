import type { NeedName, Operation } from '../operation.ts';

const shares = () => import('./shares.ts');
const sessions = () => import('./sessions.ts');
const event = () => import('./event.ts');
const properties = () => import('./event-properties.ts');
const deletion = () => import('./delete-event.ts');
const crashes = () => import('./crashes.ts');
const crashGroups = () => import('./crash-groups.ts');

type Code = Operation['code'];

const row =
  (method: Operation['method'], needs: NeedName) =>
  (path: string, name: string, summary: string, code: Code): Operation => ({
    method,
    path: `/apps/{owner_name}/{app_name}/analytics${path}`,
    operation: `analytics_${name}`,
    summary,
    needs,
    code,
  });

const read = row('GET', 'appRead');
const remove = row('DELETE', 'appManage');
/** Asks a question in a body, and changes nothing. */
const ask = row('POST', 'appRead');

/** How apps are used. */
export const ANALYTICS_OPERATIONS: readonly Operation[] = [
  read('/versions', 'versions', 'Devices by version', async () => (await shares()).versions),
  read(
    '/oses',
    'operatingSystemCounts',
    'Devices by operating system',
    async () => (await shares()).operatingSystemCounts,
  ),
  read('/models', 'modelCounts', 'Devices by model', async () => (await shares()).modelCounts),
  read('/languages', 'languageCounts', 'Devices by language', async () => (await shares()).languageCounts),
  read('/places', 'placeCounts', 'Devices by country', async () => (await shares()).placeCounts),
  read(
    '/active_device_counts',
    'deviceCounts',
    'Active devices of every day, and of the week and the month that end with it',
    async () => (await import('./active-devices.ts')).deviceCounts,
  ),
  read('/session_counts', 'sessionCounts', 'Sessions in every interval', async () => (await sessions()).sessionCounts),
  read(
    '/sessions_per_device',
    'perDeviceCounts',
    'Sessions per device in every interval',
    async () => (await sessions()).perDeviceCounts,
  ),
  read(
    '/session_durations_distribution',
    'sessionDurationsDistribution',
    'How long sessions last',
    async () => (await sessions()).sessionDurationsDistribution,
  ),
  read('/events', 'events', 'Events and how often they were', async () => (await import('./events.ts')).events),
  read(
    '/events/{event_name}/event_count',
    'eventCount',
    'How often an event was',
    async () => (await event()).eventCount,
  ),
  read(
    '/events/{event_name}/device_count',
    'eventDeviceCount',
    'On how many devices an event was',
    async () => (await event()).eventDeviceCount,
  ),
  read(
    '/events/{event_name}/count_per_device',
    'eventPerDeviceCount',
    'How often an event was on a device that had it',
    async () => (await event()).eventPerDeviceCount,
  ),
  read(
    '/events/{event_name}/count_per_session',
    'eventPerSessionCount',
    'How often an event was in a session',
    async () => (await event()).eventPerSessionCount,
  ),
  read(
    '/events/{event_name}/properties',
    'eventProperties',
    'The properties that an event had',
    async () => (await properties()).eventProperties,
  ),
  read(
    '/events/{event_name}/properties/{event_property_name}/counts',
    'eventPropertyCounts',
    'The values that a property of an event had',
    async () => (await properties()).eventPropertyCounts,
  ),
  remove('/events/{event_name}', 'eventsDelete', 'Forgets an event', async () => (await deletion()).eventsDelete),
  remove(
    '/event_logs/{event_name}',
    'eventsDeleteLogs',
    'Forgets how often an event was',
    async () => (await deletion()).eventsDeleteLogs,
  ),
  read('/log_flow', 'logFlow', 'The latest logs of today', async () => (await import('./log-flow.ts')).logFlow),
  read(
    '/generic_log_flow',
    'genericLogFlow',
    'The latest logs of today, all types alike',
    async () => (await import('./log-flow.ts')).logFlow,
  ),
  ask(
    '/distribution/release_counts',
    'distributionReleaseCounts',
    'How often releases were downloaded',
    async () => (await import('./release-counts.ts')).distributionReleaseCounts,
  ),
  read(
    '/crashfree_device_percentages',
    'crashFreeDevicePercentages',
    'How many devices did not crash',
    async () => (await crashes()).crashFreeDevicePercentages,
  ),
  read('/crash_counts', 'crashCounts', 'How often the app crashed', async () => (await crashes()).crashCounts),
  ask(
    '/crash_groups',
    'crashGroupsTotals',
    'How often there were crashes of some groups',
    async () => (await crashGroups()).crashGroupsTotals,
  ),
  read(
    '/crash_groups/{crash_group_id}/overall',
    'crashGroupTotals',
    'How often there were crashes of a group',
    async () => (await crashGroups()).crashGroupTotals,
  ),
  read(
    '/crash_groups/{crash_group_id}/crash_counts',
    'crashGroupCounts',
    'How often there were crashes of a group, day by day',
    async () => (await crashGroups()).crashGroupCounts,
  ),
  read(
    '/crash_groups/{crash_group_id}/operating_systems',
    'crashGroupOperatingSystemCounts',
    'Crashes of a group by operating system',
    async () => (await crashGroups()).crashGroupOperatingSystemCounts,
  ),
  read(
    '/crash_groups/{crash_group_id}/models',
    'crashGroupModelCounts',
    'Crashes of a group by model',
    async () => (await crashGroups()).crashGroupModelCounts,
  ),
];
