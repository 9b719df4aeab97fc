import { guardedObjects } from '../permissions/guarded-objects.ts';

/** SQL objects that have permissions, by their type and the name of their kind. */
export const GUARDED_SQL = {
  alerts: guardedObjects('alerts', 'alerts'),
  alertsv2: guardedObjects('alertsv2', 'alerts-v2'),
  dashboards: guardedObjects('dashboards', 'lakeview-dashboards'),
  'dbsql-dashboards': guardedObjects('dbsql-dashboards', 'legacy-dashboards'),
  queries: guardedObjects('queries', 'queries'),
};
