import {
  FEATURES_API_VERSIONS,
  GATEWAY_API_VERSIONS,
  LOCK_API_VERSIONS,
  PROVIDER_OPERATIONS_API_VERSIONS,
  type ResourceType,
  TAG_NAMES_API_VERSIONS,
  TAGS_API_VERSIONS,
} from '../../kernel/arm/index.ts';

/** Providers whose types exist at any scope. */
export const GATEWAY_API_CLAIMS: readonly string[] = [
  '/providers/Vendor.Resources',
  '/providers/Vendor.Authorization',
  '/providers/Vendor.Features',
];

/** None of these types has a location. */
const untracked = (type: string, apiVersions: readonly string[], more: Partial<ResourceType> = {}): ResourceType => ({
  type,
  apiVersions,
  locations: [],
  tracked: false,
  ...more,
});

const EXTENSION = { capabilities: ['SupportsExtension'] } as const;

/** Types of the gateway's own APIs beside the types of the services. */
export const GATEWAY_API_TYPES: readonly ResourceType[] = [
  untracked('Vendor.Resources/tags', TAGS_API_VERSIONS, EXTENSION),
  untracked('Vendor.Resources/tagNames', TAG_NAMES_API_VERSIONS),
  untracked('Vendor.Resources/tagNames/tagValues', TAG_NAMES_API_VERSIONS),
  ...['checkResourceName', 'checkZonePeers', 'providers', 'locations', 'resources', 'tenants', 'operations'].map(
    (name) => untracked(`Vendor.Resources/${name}`, GATEWAY_API_VERSIONS),
  ),
  untracked('Vendor.Authorization/locks', LOCK_API_VERSIONS, EXTENSION),
  untracked('Vendor.Authorization/providerOperations', PROVIDER_OPERATIONS_API_VERSIONS),
  untracked('Vendor.Authorization/operations', LOCK_API_VERSIONS),
  untracked('Vendor.Features/features', FEATURES_API_VERSIONS),
  untracked('Vendor.Features/providers', FEATURES_API_VERSIONS),
  untracked('Vendor.Features/featureProviders', ['2021-07-01']),
  untracked('Vendor.Features/subscriptionFeatureRegistrations', ['2021-07-01']),
  untracked('Vendor.Features/operations', FEATURES_API_VERSIONS),
];
