import { DESTINATIONS } from './destinations/kind.ts';
import type { ObjectKind } from './engine/kind.ts';
import { ALERTS } from './sql/alerts.ts';
import { ALERTS_V2 } from './sql/alerts-v2.ts';
import { LEGACY_DASHBOARDS } from './sql/legacy/dashboards.ts';
import { WIDGETS } from './sql/legacy/widgets.ts';
import { QUERIES } from './sql/queries.ts';
import { SNIPPETS } from './sql/snippets.ts';
import { VISUALIZATIONS } from './sql/visualizations.ts';

/** Every kind of object that is declared as data. A new kind is a line here and its operations in `routes.ts`. */
export const OBJECT_KINDS: readonly ObjectKind[] = [
  ALERTS,
  ALERTS_V2,
  DESTINATIONS,
  LEGACY_DASHBOARDS,
  QUERIES,
  SNIPPETS,
  VISUALIZATIONS,
  WIDGETS,
];
