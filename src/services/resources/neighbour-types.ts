import {
  FEATURES_API_VERSIONS,
  LOCK_API_VERSIONS,
  type ResourceType,
  TAG_NAMES_API_VERSIONS,
  TAGS_API_VERSIONS,
} from '../../kernel/arm/index.ts';

/** Providers whose types hang at scopes of any kind. */
export const NEIGHBOUR_CLAIMS: readonly string[] = [
  '/providers/Vendor.Resources',
  '/providers/Vendor.Authorization',
  '/providers/Vendor.Features',
];

const untracked = (type: string, apiVersions: readonly string[]): ResourceType => ({
  type,
  apiVersions,
  tracked: false,
});

/** What tools find beside the resources of services. */
export const NEIGHBOUR_TYPES: readonly ResourceType[] = [
  untracked('Vendor.Resources/tags', TAGS_API_VERSIONS),
  untracked('Vendor.Resources/tagNames', TAG_NAMES_API_VERSIONS),
  untracked('Vendor.Resources/tagNames/tagValues', TAG_NAMES_API_VERSIONS),
  untracked('Vendor.Authorization/locks', LOCK_API_VERSIONS),
  untracked('Vendor.Features/features', FEATURES_API_VERSIONS),
];
