import {
  FORGET_OPERATION,
  GATEWAY_API_VERSIONS,
  hierarchySettings,
  locks,
  MANAGEMENT,
  MANAGEMENT_AUDIENCES,
  MANAGEMENT_LIMITS,
  managementGroups,
  operations,
  resourceGroups,
  resources,
  roleAssignments,
  subscriptions,
} from '../../kernel/arm/index.ts';
import type { Service } from '../../kernel/service/index.ts';
import { EXPORT_TEMPLATE } from './export/work.ts';
import { featureRegistrations } from './features/collections.ts';
import { FINISH_FEATURE } from './features/work-items.ts';
import { extraTypesIn } from './foreign/extra-types.ts';
import { FOREIGN_TYPES } from './foreign/types.ts';
import { GATEWAY_API_CLAIMS, GATEWAY_API_TYPES } from './gateway-api-types.ts';
import { MOVE_RESOURCES } from './moves/work.ts';
import { FINISH_REGISTRATION } from './providers/work-items.ts';
import { resourcesSeed } from './seed.ts';
import { tagNames } from './tags/collections.ts';
import { DELETE_GROUP } from './work.ts';

/** Subscriptions, providers, resource groups, and lists of the resources of all management services. */
export const RESOURCES: Service = {
  name: 'resources',
  title: 'Subscriptions and resource groups',
  family: MANAGEMENT,
  mounts: ['/subscriptions', '/providers', '/tenants', '/metadata'],
  claims: GATEWAY_API_CLAIMS,
  collections: [
    subscriptions,
    managementGroups,
    hierarchySettings,
    resourceGroups,
    resources,
    roleAssignments,
    operations,
    locks,
    tagNames,
    featureRegistrations,
  ],
  limits: MANAGEMENT_LIMITS,
  audiences: MANAGEMENT_AUDIENCES,
  resourceTypes: [
    { type: 'Vendor.Resources/resourceGroups', apiVersions: GATEWAY_API_VERSIONS, locations: [], tracked: true },
    { type: 'Vendor.Resources/subscriptions', apiVersions: GATEWAY_API_VERSIONS, locations: [], tracked: false },
    ...GATEWAY_API_TYPES,
    ...FOREIGN_TYPES,
  ],
  configuredTypes: extraTypesIn,
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  work: [FINISH_REGISTRATION, FINISH_FEATURE, DELETE_GROUP, MOVE_RESOURCES, EXPORT_TEMPLATE, FORGET_OPERATION],
  seed: resourcesSeed,
  open: async (jar) => (await import('./open.ts')).openResources(jar),
};
