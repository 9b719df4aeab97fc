import { MANAGEMENT_AUDIENCES } from '../../kernel/arm/authenticate.ts';
import { resourceGroups, resources, roleAssignments, subscriptions } from '../../kernel/arm/collections.ts';
import { MANAGEMENT } from '../../kernel/arm/family.ts';
import { MANAGEMENT_LIMITS } from '../../kernel/arm/limits.ts';
import { FORGET_OPERATION, operations } from '../../kernel/arm/operations.ts';
import { GATEWAY_API_VERSIONS } from '../../kernel/arm/versions.ts';
import type { Service } from '../../kernel/service/service.ts';
import { resourcesSeed } from './seed.ts';
import { DELETE_GROUP } from './work.ts';

/** Subscriptions, providers, resource groups, and the view over the resources of every other management service. */
export const RESOURCES: Service = {
  name: 'resources',
  title: 'Subscriptions and resource groups',
  family: MANAGEMENT,
  mounts: ['/subscriptions', '/providers', '/tenants'],
  collections: [subscriptions, resourceGroups, resources, roleAssignments, operations],
  limits: MANAGEMENT_LIMITS,
  audiences: MANAGEMENT_AUDIENCES,
  resourceTypes: [
    { type: 'Vendor.Resources/resourceGroups', apiVersions: GATEWAY_API_VERSIONS, tracked: true },
    { type: 'Vendor.Resources/subscriptions', apiVersions: GATEWAY_API_VERSIONS, tracked: false },
  ],
  work: [DELETE_GROUP, FORGET_OPERATION],
  seed: resourcesSeed,
  open: async () => (await import('./open.ts')).openResources(),
};
