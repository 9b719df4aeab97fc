import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { DESTINATION_OPERATIONS } from './destinations/kind.ts';
import { LIMIT_OPERATIONS } from './limits/display.ts';
import { INCREASE_OPERATIONS } from './limits/increases/operations.ts';
import { type Operation, operationRoutes } from './operation.ts';
import { ALERT_OPERATIONS } from './sql/alerts.ts';
import { ALERT_V2_OPERATIONS } from './sql/alerts-v2.ts';
import { LEGACY_SQL_OPERATIONS } from './sql/legacy/operations.ts';
import { QUERY_OPERATIONS } from './sql/queries.ts';
import { SNIPPET_OPERATIONS } from './sql/snippets.ts';
import { VISUALIZATION_OPERATIONS } from './sql/visualizations.ts';

const OPERATIONS: readonly Operation[] = [
  ...DESTINATION_OPERATIONS,
  ...INCREASE_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...ALERT_V2_OPERATIONS,
  ...LEGACY_SQL_OPERATIONS,
  ...LIMIT_OPERATIONS,
  ...QUERY_OPERATIONS,
  ...VISUALIZATION_OPERATIONS,
  ...SNIPPET_OPERATIONS,
];

/** Every operation of the API. Who may call which is in the rows of its table. */
export const platformRoutes: readonly Route[] = [...DISCOVERY_OPERATIONS, ...operationRoutes(OPERATIONS)];
