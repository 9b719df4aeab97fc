import type { Operation } from '../../operation.ts';
import { LEGACY_ALERT_OPERATIONS } from './alerts.ts';
import { LEGACY_DASHBOARD_OPERATIONS } from './dashboards.ts';
import { LEGACY_QUERY_OPERATIONS } from './queries.ts';
import { LEGACY_VISUALIZATION_OPERATIONS } from './visualizations.ts';
import { WIDGET_OPERATIONS } from './widgets.ts';

/** The older API of SQL objects, `/preview/sql`. */
export const LEGACY_SQL_OPERATIONS: readonly Operation[] = [
  ...LEGACY_ALERT_OPERATIONS,
  ...LEGACY_DASHBOARD_OPERATIONS,
  ...LEGACY_QUERY_OPERATIONS,
  ...LEGACY_VISUALIZATION_OPERATIONS,
  ...WIDGET_OPERATIONS,
];
