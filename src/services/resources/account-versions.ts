import { GATEWAY_API_VERSIONS, ProviderVersions } from '../../kernel/arm/index.ts';

/** The api-version with which the account tools read subscriptions; its rows have fewer members. */
const ACCOUNT_VERSION = '2016-06-01';

/** The first api-version in which regions have metadata. Earlier rows are flat. */
const FIRST_WITH_METADATA = '2019-11-01';

interface Row {
  readonly type: 'subscriptions' | 'locations';
  readonly field: string;
  isIn(version: string): boolean;
}

const inNewer = (version: string): boolean => version !== ACCOUNT_VERSION;
const since =
  (first: string) =>
  (version: string): boolean =>
    version >= first;
const isFlat = (version: string): boolean => version < FIRST_WITH_METADATA;

const ROWS: readonly Row[] = [
  ...['tenantId', 'tags', 'managedByTenants'].map(
    (field) => ({ type: 'subscriptions', field, isIn: inNewer }) as const,
  ),
  ...['regionalDisplayName', 'metadata'].map(
    (field) => ({ type: 'locations', field, isIn: since(FIRST_WITH_METADATA) }) as const,
  ),
  ...['latitude', 'longitude'].map((field) => ({ type: 'locations', field, isIn: isFlat }) as const),
  { type: 'locations', field: 'type', isIn: since('2020-01-01') },
  { type: 'locations', field: 'metadata.geography', isIn: since('2020-01-01') },
  { type: 'locations', field: 'availabilityZoneMappings', isIn: since('2022-12-01') },
];

function fieldsOf(version: string, isThere: boolean) {
  const rows = ROWS.filter(({ isIn }) => isIn(version) === isThere);
  const fields = (wanted: Row['type']): string[] => rows.flatMap(({ type, field }) => (type === wanted ? [field] : []));
  return { fields: { subscriptions: fields('subscriptions'), locations: fields('locations') } };
}

/** Api-versions of subscriptions and their regions. */
export const ACCOUNT_VERSIONS = new ProviderVersions(
  [...GATEWAY_API_VERSIONS]
    .reverse()
    .map((version) => ({ version, adds: fieldsOf(version, true), drops: fieldsOf(version, false) })),
);
