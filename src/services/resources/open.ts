import { resourceRoutes } from '../../kernel/arm/index.ts';
import type { OpenService } from '../../kernel/service/index.ts';
import { absentRoutes } from './absent/routes.ts';
import { resourceNameRoutes } from './checks/resource-name.ts';
import { zonePeerRoutes } from './checks/zone-peers.ts';
import { COUNTED_DEFINITIONS, freeCounted } from './counted.ts';
import { deleteGroup } from './delete-group.ts';
import { finishFeature } from './features/registration.ts';
import { registrationRoutes } from './features/registration-routes.ts';
import { featureRoutes } from './features/routes.ts';
import { forgetOperation } from './forget-operation.ts';
import { genericRoutes } from './generic.ts';
import { groupRoutes } from './groups.ts';
import { lockRoutes } from './locks/routes.ts';
import { metadataRoutes } from './metadata/routes.ts';
import { operationRoutes } from './providers/operations.ts';
import { providerRoutes } from './providers/routes.ts';
import { finishRegistration } from './providers/work.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { tagNameRoutes } from './tags/names.ts';
import { tagsRoutes } from './tags/routes.ts';

/** Remembers nothing: what is read often is in the store's cache. */
export const openResources = (): OpenService => ({
  routes: [
    ...metadataRoutes,
    ...subscriptionRoutes,
    ...providerRoutes,
    ...groupRoutes,
    ...genericRoutes,
    ...tagsRoutes,
    ...tagNameRoutes,
    ...lockRoutes,
    ...featureRoutes,
    ...registrationRoutes,
    ...operationRoutes,
    ...zonePeerRoutes,
    ...resourceNameRoutes,
    ...absentRoutes,
    ...COUNTED_DEFINITIONS.flatMap(resourceRoutes),
  ],
  work: [finishRegistration, finishFeature, deleteGroup, forgetOperation],
  onDelete: Object.fromEntries(COUNTED_DEFINITIONS.map(({ type }) => [type, freeCounted])),
});
