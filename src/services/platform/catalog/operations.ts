import type { Operation } from '../operation.ts';
import { CATALOG_OPERATIONS as CATALOG_KIND_OPERATIONS } from './containers/catalogs.ts';
import { SCHEMA_OPERATIONS } from './containers/schemas.ts';
import { BINDING_OPERATIONS } from './core/bindings.ts';
import { FUNCTION_OPERATIONS } from './functions/kind.ts';
import { GRANT_OPERATIONS } from './grants/operations.ts';
import { ASSIGNMENT_OPERATIONS } from './metastores/assignments.ts';
import { METASTORE_OPERATIONS } from './metastores/operations.ts';
import { QUOTA_OPERATIONS } from './quotas/operations.ts';
import { SHARING_OPERATIONS } from './sharing/operations.ts';
import { CONSTRAINT_OPERATIONS } from './tables/constraint-operations.ts';
import { TABLE_OPERATIONS } from './tables/operations.ts';
import { VOLUME_OPERATIONS } from './volumes/kind.ts';

/** Every operation of the catalog. */
export const CATALOG_OPERATIONS: readonly Operation[] = [
  // One a line.
  ...ASSIGNMENT_OPERATIONS,
  ...BINDING_OPERATIONS,
  ...CATALOG_KIND_OPERATIONS,
  ...CONSTRAINT_OPERATIONS,
  ...FUNCTION_OPERATIONS,
  ...GRANT_OPERATIONS,
  ...METASTORE_OPERATIONS,
  ...QUOTA_OPERATIONS,
  ...SCHEMA_OPERATIONS,
  ...SHARING_OPERATIONS,
  ...TABLE_OPERATIONS,
  ...VOLUME_OPERATIONS,
];
