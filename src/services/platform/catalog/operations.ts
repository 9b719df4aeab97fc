import type { Operation } from '../operation.ts';
import { CATALOG_OPERATIONS as CATALOG_KIND_OPERATIONS } from './containers/catalogs.ts';
import { SCHEMA_OPERATIONS } from './containers/schemas.ts';
import { BINDING_OPERATIONS } from './core/bindings.ts';
import { GRANT_OPERATIONS } from './grants/operations.ts';
import { ASSIGNMENT_OPERATIONS } from './metastores/assignments.ts';
import { METASTORE_OPERATIONS } from './metastores/operations.ts';
import { QUOTA_OPERATIONS } from './quotas/operations.ts';
import { SHARING_OPERATIONS } from './sharing/operations.ts';

/** Every operation of the catalog. */
export const CATALOG_OPERATIONS: readonly Operation[] = [
  // One a line.
  ...ASSIGNMENT_OPERATIONS,
  ...BINDING_OPERATIONS,
  ...CATALOG_KIND_OPERATIONS,
  ...GRANT_OPERATIONS,
  ...METASTORE_OPERATIONS,
  ...QUOTA_OPERATIONS,
  ...SCHEMA_OPERATIONS,
  ...SHARING_OPERATIONS,
];
