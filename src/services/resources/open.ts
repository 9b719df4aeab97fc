import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { absentRoutes } from './absent/routes.ts';
import { resourceNameRoutes } from './checks/resource-name.ts';
import { zonePeerRoutes } from './checks/zone-peers.ts';
import { scopeLists } from './control/lists.ts';
import { operationList } from './control/operations.ts';
import { deleteGroup } from './delete-group.ts';
import { exportTemplate } from './export/handle.ts';
import { exportRoutes } from './export/routes.ts';
import { finishFeature } from './features/registration.ts';
import { registrationRoutes } from './features/registration-routes.ts';
import { featureRoutes } from './features/routes.ts';
import { extraTypesIn } from './foreign/extra-types.ts';
import { openForeign } from './foreign/open.ts';
import { FOREIGN_TYPES } from './foreign/types.ts';
import { forgetOperation } from './forget-operation.ts';
import { genericRoutes } from './generic.ts';
import { groupRoutes } from './groups.ts';
import { lockRoutes } from './locks/routes.ts';
import { metadataRoutes } from './metadata/routes.ts';
import { moveResources } from './moves/move.ts';
import { moveRoutes } from './moves/routes.ts';
import { operationRoutes } from './providers/operations.ts';
import { providerRoutes } from './providers/routes.ts';
import { finishRegistration } from './providers/work.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { tagNameRoutes } from './tags/names.ts';
import { tagsRoutes } from './tags/routes.ts';

/** The service keeps no memory: frequently read data is in the store's cache. */
export function openResources({ config }: Jar): OpenService {
  const types = [...FOREIGN_TYPES, ...extraTypesIn(config)];
  const foreign = openForeign(types);
  return {
    routes: [
      ...metadataRoutes,
      ...subscriptionRoutes,
      ...providerRoutes,
      ...groupRoutes,
      ...genericRoutes,
      ...moveRoutes,
      ...exportRoutes,
      ...tagsRoutes,
      ...tagNameRoutes,
      ...lockRoutes,
      ...featureRoutes,
      ...registrationRoutes,
      ...operationRoutes,
      ...zonePeerRoutes,
      ...resourceNameRoutes,
      ...absentRoutes,
      ...foreign.routes,
    ],
    work: [finishRegistration, finishFeature, deleteGroup, moveResources, exportTemplate(types), forgetOperation],
    onDelete: foreign.onDelete,
    control: [...scopeLists, operationList],
  };
}
