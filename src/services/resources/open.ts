import { resourceRoutes } from '../../kernel/arm/index.ts';
import type { OpenService } from '../../kernel/service/index.ts';
import { COUNTED_DEFINITIONS, freeCounted } from './counted.ts';
import { deleteGroup } from './delete-group.ts';
import { forgetOperation } from './forget-operation.ts';
import { genericRoutes } from './generic.ts';
import { groupRoutes } from './groups.ts';
import { lockRoutes } from './locks/routes.ts';
import { providerRoutes } from './providers.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { tagNameRoutes } from './tags/names.ts';
import { tagsRoutes } from './tags/routes.ts';

/** Remembers nothing: what is read often is in the store's cache. */
export const openResources = (): OpenService => ({
  routes: [
    ...subscriptionRoutes,
    ...providerRoutes,
    ...groupRoutes,
    ...genericRoutes,
    ...tagsRoutes,
    ...tagNameRoutes,
    ...lockRoutes,
    ...COUNTED_DEFINITIONS.flatMap(resourceRoutes),
  ],
  work: [deleteGroup, forgetOperation],
  onDelete: Object.fromEntries(COUNTED_DEFINITIONS.map(({ type }) => [type, freeCounted])),
});
