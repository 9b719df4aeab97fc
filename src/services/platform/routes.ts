import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { operationRoutes } from './operation.ts';
import { SCIM_OPERATIONS } from './scim/operations.ts';
import { SNIPPET_OPERATIONS } from './sql/snippets.ts';

/** Every operation of the API. Who may call which is in the rows of its table. */
export const platformRoutes: readonly Route[] = [
  ...DISCOVERY_OPERATIONS,
  ...operationRoutes(SCIM_OPERATIONS),
  ...operationRoutes(SNIPPET_OPERATIONS),
];
