import { LAKEVIEW_OPERATIONS } from '../lakeview/operations.ts';
import type { Operation } from '../operation.ts';
import { ALERT_OPERATIONS } from './alerts.ts';
import { ALERT_V2_OPERATIONS } from './alerts-v2.ts';
import { LEGACY_SQL_OPERATIONS } from './legacy/operations.ts';
import { QUERY_OPERATIONS } from './queries.ts';
import { SNIPPET_OPERATIONS } from './snippets.ts';
import { VISUALIZATION_OPERATIONS } from './visualizations.ts';

export const SQL_OPERATIONS: readonly Operation[] = [
  ...ALERT_OPERATIONS,
  ...ALERT_V2_OPERATIONS,
  ...LAKEVIEW_OPERATIONS,
  ...LEGACY_SQL_OPERATIONS,
  ...QUERY_OPERATIONS,
  ...SNIPPET_OPERATIONS,
  ...VISUALIZATION_OPERATIONS,
];
