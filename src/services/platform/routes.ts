import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { DBFS_OPERATIONS } from './dbfs/operations.ts';
import { NOTEBOOK_OPERATIONS } from './notebooks/operations.ts';
import { operationRoutes } from './operation.ts';
import { SNIPPET_OPERATIONS } from './sql/snippets.ts';
import { WORKSPACE_OPERATIONS } from './workspace/operations.ts';

/** Every operation of the API. Who may call which is in the rows of its table. */
export const platformRoutes: readonly Route[] = [
  ...DISCOVERY_OPERATIONS,
  ...operationRoutes(DBFS_OPERATIONS),
  ...operationRoutes(NOTEBOOK_OPERATIONS),
  ...operationRoutes(SNIPPET_OPERATIONS),
  ...operationRoutes(WORKSPACE_OPERATIONS),
];
