import { versionsFrom } from '../../kernel/arm/index.ts';

/** Namespace of all types of this service. */
export const NAMESPACE = 'Vendor.EventGrid';

/** Every published version, newest first. `version-table.ts` says what each contains. */
export const API_VERSIONS: readonly string[] = [
  '2025-07-15-preview',
  '2025-04-01-preview',
  '2025-02-15',
  '2024-12-15-preview',
  '2024-06-01-preview',
  '2023-12-15-preview',
  '2023-06-01-preview',
  '2022-06-15',
  '2021-12-01',
  '2021-10-15-preview',
  '2021-06-01-preview',
  '2020-10-15-preview',
  '2020-06-01',
  '2020-04-01-preview',
  '2020-01-01-preview',
  '2019-06-01',
  '2019-02-01-preview',
  '2019-01-01',
  '2018-09-15-preview',
  '2018-05-01-preview',
  '2018-01-01',
  '2017-09-15-preview',
  '2017-06-15-preview',
];

export const DOMAIN_API_VERSIONS = versionsFrom(API_VERSIONS, '2018-09-15-preview', '2019-01-01');
export const DOMAIN_TOPIC_API_VERSIONS = versionsFrom(API_VERSIONS, '2019-02-01-preview');
/** For event subscriptions nested below their parent. */
export const NESTED_API_VERSIONS = versionsFrom(API_VERSIONS, '2021-10-15-preview', '2021-12-01');

/** For system topics and the event subscriptions below them. */
export const SYSTEM_TOPIC_API_VERSIONS = versionsFrom(API_VERSIONS, '2020-04-01-preview', '2020-06-01');

const NO_PARTNERS = ['2020-06-01', '2021-12-01'] as const;
/** For partner namespaces, partner topics and event subscriptions below these. */
export const PARTNER_API_VERSIONS = versionsFrom(API_VERSIONS, '2020-04-01-preview', ...NO_PARTNERS);
/** For private endpoints that lead to topics and domains, and to partner namespaces. */
export const PRIVATE_LINK_API_VERSIONS = versionsFrom(API_VERSIONS, '2020-04-01-preview');
export const PARTNER_LINK_API_VERSIONS = PARTNER_API_VERSIONS.filter((version) => version >= '2021-06');
/** For channels and verified partners. */
export const CHANNEL_API_VERSIONS = versionsFrom(API_VERSIONS, '2021-10-15-preview', ...NO_PARTNERS);
export const PARTNER_DESTINATION_API_VERSIONS = CHANNEL_API_VERSIONS.filter((version) => version.endsWith('-preview'));
/** For event channels, which channels replaced. */
export const EVENT_CHANNEL_API_VERSIONS = PARTNER_API_VERSIONS.filter((version) => version < '2021-12');

/** Adds 2022-10-15-preview, which the live service offers for a few types only. */
const withLiveVersion = (list: readonly string[]): readonly string[] => [
  ...list.filter((version) => version > '2022-10-15'),
  '2022-10-15-preview',
  ...list.filter((version) => version < '2022-10-15'),
];
export const PARTNER_REGISTRATION_API_VERSIONS = withLiveVersion(PARTNER_API_VERSIONS);
export const PARTNER_CONFIGURATION_API_VERSIONS = withLiveVersion(CHANNEL_API_VERSIONS);

/** Includes 2022-10-15-preview, which the live service offers for a few types only. */
export const OPERATION_STATUS_API_VERSIONS: readonly string[] = [
  ...versionsFrom(API_VERSIONS, '2023-06-01-preview'),
  '2022-10-15-preview',
  ...API_VERSIONS.slice(API_VERSIONS.indexOf('2022-06-15')),
];

/** Answers of these versions have `systemData`, but it is always empty. */
export const EMPTY_SYSTEM_DATA_VERSIONS: ReadonlySet<string> = new Set([
  '2020-10-15-preview',
  '2021-06-01-preview',
  '2021-10-15-preview',
]);

/** How clients poll operations of this provider: `…/locations/{location}/operationsStatus/{ID}`. */
export const POLLING = { segment: 'operationsStatus', isUpperCase: true } as const;
/** Operations on system topics of global sources are in no location. */
export const SYSTEM_POLLING = { ...POLLING, globalIsBare: true } as const;
