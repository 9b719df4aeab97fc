import { removeAttachedWork } from './core/attached.ts';
import { removalOf } from './core/removal.ts';
import { SECURABLE_KINDS } from './kinds.ts';
import { METASTORES } from './metastores/kind.ts';
import { MODEL_HANDLERS } from './models/handlers.ts';
import { dropShared } from './sharing/shares/drop.ts';
import { dropTableData } from './tables/drop-data.ts';

/** Work handlers of the catalog. */
export const CATALOG_HANDLERS = [
  // One per line.
  dropShared,
  dropTableData,
  removalOf(() => [METASTORES, ...SECURABLE_KINDS]),
  removeAttachedWork,
  ...MODEL_HANDLERS,
];
