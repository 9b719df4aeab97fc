import { MANAGEMENT_AUDIENCES } from '../../kernel/arm/authenticate.ts';
import { resourceGroups, resources, roleAssignments, subscriptions } from '../../kernel/arm/collections.ts';
import { MANAGEMENT } from '../../kernel/arm/family.ts';
import { MANAGEMENT_LIMITS } from '../../kernel/arm/limits.ts';
import { FORGET_OPERATION, operations } from '../../kernel/arm/operations.ts';
import { GATEWAY_API_VERSIONS } from '../../kernel/arm/versions.ts';
import { wholeService } from '../../kernel/whole-service.ts';
import { DELETE_GROUP, deleteGroup } from './delete-group.ts';
import { genericRoutes } from './generic.ts';
import { groupRoutes } from './groups.ts';
import { providerRoutes } from './providers.ts';
import { resourcesSeed } from './seed.ts';
import { subscriptionRoutes } from './subscriptions.ts';

/** Subscriptions, providers, resource groups, and the view over the resources of every other management service. */
export const RESOURCES = wholeService({
  name: 'resources',
  title: 'Subscriptions and resource groups',
  family: MANAGEMENT,
  mounts: ['/subscriptions', '/providers', '/tenants'],
  routes: [...subscriptionRoutes, ...providerRoutes, ...groupRoutes, ...genericRoutes],
  collections: [subscriptions, resourceGroups, resources, roleAssignments, operations],
  limits: MANAGEMENT_LIMITS,
  audiences: MANAGEMENT_AUDIENCES,
  resourceTypes: [
    { type: 'Vendor.Resources/resourceGroups', apiVersions: GATEWAY_API_VERSIONS, tracked: true },
    { type: 'Vendor.Resources/subscriptions', apiVersions: GATEWAY_API_VERSIONS, tracked: false },
  ],
  work: {
    [DELETE_GROUP]: deleteGroup,
    [FORGET_OPERATION]: {
      async run(item, jar) {
        const { id } = item.payload as { id: string };
        await jar.store.transact(async (tx) => {
          await tx.delete(operations, id);
          await tx.complete(item);
        });
      },
    },
  },
  seed: resourcesSeed,
});
