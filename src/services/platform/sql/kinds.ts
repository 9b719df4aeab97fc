import type { ObjectKind } from '../engine/kind.ts';
import { DASHBOARDS } from '../lakeview/dashboards.ts';
import { SCHEDULES, SUBSCRIPTIONS } from '../lakeview/schedules.ts';
import { ALERTS } from './alerts.ts';
import { ALERTS_V2 } from './alerts-v2.ts';
import { LEGACY_DASHBOARDS } from './legacy/dashboards.ts';
import { WIDGETS } from './legacy/widgets.ts';
import { QUERIES } from './queries.ts';
import { SNIPPETS } from './snippets.ts';
import { VISUALIZATIONS } from './visualizations.ts';

/** Kinds of SQL objects, dashboards included. */
export const SQL_KINDS: readonly ObjectKind[] = [
  ALERTS,
  ALERTS_V2,
  DASHBOARDS,
  LEGACY_DASHBOARDS,
  QUERIES,
  SCHEDULES,
  SNIPPETS,
  SUBSCRIPTIONS,
  VISUALIZATIONS,
  WIDGETS,
];
