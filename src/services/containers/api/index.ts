import type { ResourceType } from '../../../kernel/arm/providers.ts';
import { resourceRoutes } from '../../../kernel/arm/resource-routes.ts';
import type { Route } from '../../../kernel/http/route.ts';
import { CONTAINER_GROUP } from './group.ts';
import { locationRoutes } from './locations.ts';
import { OTHER_TYPES, providerRoutes } from './provider.ts';

export { CONTAINER_GROUP } from './group.ts';
export { CONTAINER_LIMITS } from './limits.ts';

/** The resource itself, its provider and its regions; actions and streams are declared beside this. */
export const containerGroupRoutes: readonly Route[] = [
  ...resourceRoutes(CONTAINER_GROUP),
  ...locationRoutes,
  ...providerRoutes,
];

export const CONTAINER_TYPES: readonly ResourceType[] = [CONTAINER_GROUP, ...OTHER_TYPES];
