import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { COMPUTE_OPERATIONS } from './compute/operations.ts';
import { operationRoutes } from './operation.ts';
import { SNIPPET_OPERATIONS } from './sql/snippets.ts';

/** Every operation of the API. Who may call which is in the rows of its table. */
export const platformRoutes: readonly Route[] = [
  ...DISCOVERY_OPERATIONS,
  ...operationRoutes(COMPUTE_OPERATIONS),
  ...operationRoutes(SNIPPET_OPERATIONS),
];
