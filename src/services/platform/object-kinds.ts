import { COMPUTE_KINDS } from './compute/kinds.ts';
import { DESTINATIONS } from './destinations/kind.ts';
import type { ObjectKind } from './engine/kind.ts';
import { NOTEBOOK_COMMENTS, NOTEBOOK_DASHBOARDS } from './notebooks/kinds.ts';
import { SQL_KINDS } from './sql/kinds.ts';

/** Every kind of object that is declared as data. A new kind needs a line here and its operations in `routes.ts`. */
export const OBJECT_KINDS: readonly ObjectKind[] = [
  // One per line.
  DESTINATIONS,
  NOTEBOOK_COMMENTS,
  NOTEBOOK_DASHBOARDS,
  ...COMPUTE_KINDS,
  ...SQL_KINDS,
];
