import type { Operation } from '../operation.ts';
import { ALLOWLIST_OPERATIONS } from './allowlists/operations.ts';
import { CONNECTION_OPERATIONS } from './connections/kind.ts';
import { CATALOG_OPERATIONS as CATALOG_KIND_OPERATIONS } from './containers/catalogs.ts';
import { SCHEMA_OPERATIONS } from './containers/schemas.ts';
import { BINDING_OPERATIONS } from './core/bindings.ts';
import { CREDENTIAL_OPERATIONS } from './credentials/operations.ts';
import { FUNCTION_OPERATIONS } from './functions/kind.ts';
import { GRANT_OPERATIONS } from './grants/operations.ts';
import { LINEAGE_OPERATIONS } from './lineage/operations.ts';
import { LOCATION_OPERATIONS } from './locations/kind.ts';
import { ASSIGNMENT_OPERATIONS } from './metastores/assignments.ts';
import { METASTORE_OPERATIONS } from './metastores/operations.ts';
import { MODEL_OPERATIONS } from './models/operations.ts';
import { TRACKING_MODEL_OPERATIONS } from './models/tracking.ts';
import { TRACKING_VERSION_OPERATIONS } from './models/tracking-versions.ts';
import { QUOTA_OPERATIONS } from './quotas/operations.ts';
import { SHARING_OPERATIONS } from './sharing/operations.ts';
import { SYSTEM_SCHEMA_OPERATIONS } from './system-schemas/operations.ts';
import { CONSTRAINT_OPERATIONS } from './tables/constraint-operations.ts';
import { TABLE_OPERATIONS } from './tables/operations.ts';
import { TAG_OPERATIONS } from './tags/operations.ts';
import { TEMPORARY_OPERATIONS } from './temporary/operations.ts';
import { VOLUME_OPERATIONS } from './volumes/kind.ts';

/** Every operation of the catalog. */
export const CATALOG_OPERATIONS: readonly Operation[] = [
  // One per line.
  ...ALLOWLIST_OPERATIONS,
  ...ASSIGNMENT_OPERATIONS,
  ...BINDING_OPERATIONS,
  ...CATALOG_KIND_OPERATIONS,
  ...CONNECTION_OPERATIONS,
  ...CREDENTIAL_OPERATIONS,
  ...CONSTRAINT_OPERATIONS,
  ...FUNCTION_OPERATIONS,
  ...GRANT_OPERATIONS,
  ...LINEAGE_OPERATIONS,
  ...LOCATION_OPERATIONS,
  ...METASTORE_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...QUOTA_OPERATIONS,
  ...SCHEMA_OPERATIONS,
  ...SYSTEM_SCHEMA_OPERATIONS,
  ...TAG_OPERATIONS,
  ...TEMPORARY_OPERATIONS,
  ...TRACKING_MODEL_OPERATIONS,
  ...TRACKING_VERSION_OPERATIONS,
  ...SHARING_OPERATIONS,
  ...TABLE_OPERATIONS,
  ...VOLUME_OPERATIONS,
];
