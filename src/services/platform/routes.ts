import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { DESTINATION_OPERATIONS } from './destinations/kind.ts';
import { LIMIT_OPERATIONS } from './limits/display.ts';
import { INCREASE_OPERATIONS } from './limits/increases/operations.ts';
import { type Operation, operationRoutes } from './operation.ts';
import { SNIPPET_OPERATIONS } from './sql/snippets.ts';

const OPERATIONS: readonly Operation[] = [
  ...DESTINATION_OPERATIONS,
  ...INCREASE_OPERATIONS,
  ...LIMIT_OPERATIONS,
  ...SNIPPET_OPERATIONS,
];

/** Every operation of the API. Who may call which is in the rows of its table. */
export const platformRoutes: readonly Route[] = [...DISCOVERY_OPERATIONS, ...operationRoutes(OPERATIONS)];
