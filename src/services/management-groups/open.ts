import type { OpenService } from '../../kernel/service/index.ts';
import { createGroup } from './create-work.ts';
import { deleteGroup } from './delete.ts';
import { forgetOperation } from './forget-operation.ts';
import { groupRoutes } from './routes.ts';
import { throttle } from './throttle.ts';

/** The service keeps no memory: frequently read data is in the store's cache. */
export const openManagementGroups = (): OpenService => ({
  routes: groupRoutes,
  steps: [throttle],
  work: [createGroup, deleteGroup, forgetOperation],
});
