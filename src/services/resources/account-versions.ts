import { GATEWAY_API_VERSIONS, ProviderVersions } from '../../kernel/arm/index.ts';

/** The version in which the account tools read subscriptions and regions; its rows are shorter, and those of regions are flat. */
const ACCOUNT_VERSION = '2016-06-01';

const NEWER = {
  subscriptions: ['tenantId', 'tags', 'managedByTenants'],
  locations: ['type', 'regionalDisplayName', 'metadata'],
};
const FLAT = { locations: ['latitude', 'longitude'] };

/** Of subscriptions and their regions. All other versions have the same fields. */
export const ACCOUNT_VERSIONS = new ProviderVersions(
  [...GATEWAY_API_VERSIONS]
    .reverse()
    .map((version) =>
      version === ACCOUNT_VERSION
        ? { version, adds: { fields: FLAT }, drops: { fields: NEWER } }
        : { version, adds: { fields: NEWER }, drops: { fields: FLAT } },
    ),
);
