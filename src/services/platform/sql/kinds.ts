import type { ObjectKind } from '../engine/kind.ts';
import { ALERTS } from './alerts.ts';
import { ALERTS_V2 } from './alerts-v2.ts';
import { LEGACY_DASHBOARDS } from './legacy/dashboards.ts';
import { WIDGETS } from './legacy/widgets.ts';
import { QUERIES } from './queries.ts';
import { SNIPPETS } from './snippets.ts';
import { VISUALIZATIONS } from './visualizations.ts';

export const SQL_KINDS: readonly ObjectKind[] = [
  ALERTS,
  ALERTS_V2,
  LEGACY_DASHBOARDS,
  QUERIES,
  SNIPPETS,
  VISUALIZATIONS,
  WIDGETS,
];
