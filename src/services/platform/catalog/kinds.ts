import { CLEAN_ROOMS } from '../clean-rooms/kind.ts';
import { CONNECTIONS } from './connections/kind.ts';
import { CATALOGS } from './containers/catalogs.ts';
import { SCHEMAS } from './containers/schemas.ts';
import type { SecurableKind } from './core/kind.ts';
import { CREDENTIALS } from './credentials/kinds.ts';
import { FUNCTIONS } from './functions/kind.ts';
import { EXTERNAL_METADATA } from './lineage/metadata.ts';
import { EXTERNAL_LOCATIONS } from './locations/kind.ts';
import { MODELS } from './models/kind.ts';
import { PROVIDERS } from './sharing/providers/kind.ts';
import { RECIPIENTS } from './sharing/recipients/kind.ts';
import { SHARES } from './sharing/shares/kind.ts';
import { TABLES } from './tables/kind.ts';
import { VOLUMES } from './volumes/kind.ts';

/**
 * Every kind of securable below the metastore. A new kind is a line here, an entry in the `children` of its parent, and its operations in
 * `operations.ts`.
 */
export const SECURABLE_KINDS: readonly SecurableKind[] = [
  // One per line.
  CATALOGS,
  CLEAN_ROOMS,
  CONNECTIONS,
  CREDENTIALS,
  EXTERNAL_LOCATIONS,
  EXTERNAL_METADATA,
  MODELS,
  PROVIDERS,
  RECIPIENTS,
  SCHEMAS,
  SHARES,
  FUNCTIONS,
  TABLES,
  VOLUMES,
];
