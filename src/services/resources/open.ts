import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { deleteGroup } from './delete-group.ts';
import { exportTemplate } from './export/handle.ts';
import { exportRoutes } from './export/routes.ts';
import { extraTypesIn } from './foreign/extra-types.ts';
import { openForeign } from './foreign/open.ts';
import { FOREIGN_TYPES } from './foreign/types.ts';
import { forgetOperation } from './forget-operation.ts';
import { genericRoutes } from './generic.ts';
import { groupRoutes } from './groups.ts';
import { moveResources } from './moves/move.ts';
import { moveRoutes } from './moves/routes.ts';
import { providerRoutes } from './providers.ts';
import { subscriptionRoutes } from './subscriptions.ts';

/** Remembers nothing: what is read often is in the store's cache. */
export function openResources({ config }: Jar): OpenService {
  const types = [...FOREIGN_TYPES, ...extraTypesIn(config)];
  const foreign = openForeign(types);
  return {
    routes: [
      ...subscriptionRoutes,
      ...providerRoutes,
      ...groupRoutes,
      ...genericRoutes,
      ...moveRoutes,
      ...exportRoutes,
      ...foreign.routes,
    ],
    work: [deleteGroup, moveResources, exportTemplate(types), forgetOperation],
    onDelete: foreign.onDelete,
  };
}
