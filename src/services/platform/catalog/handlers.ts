import { removalOf } from './core/removal.ts';
import { SECURABLE_KINDS } from './kinds.ts';
import { METASTORES } from './metastores/kind.ts';

/** What runs on the clock in the catalog. */
export const CATALOG_HANDLERS = [
  // One a line.
  removalOf(() => [METASTORES, ...SECURABLE_KINDS]),
];
