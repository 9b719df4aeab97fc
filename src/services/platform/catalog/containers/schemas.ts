import { dropMonitor } from '../../monitors/drop.ts';
import type { SecurableKind } from '../core/kind.ts';
import { checkManagedRoot } from '../core/managed-storage.ts';
import { membersOf, textsIn } from '../core/texts.ts';
import { catalogOperations } from '../core/wire.ts';
import { FUNCTIONS } from '../functions/kind.ts';
import { MODELS } from '../models/kind.ts';
import { TABLES } from '../tables/kind.ts';
import { VOLUMES } from '../volumes/kind.ts';
import { predictiveOptimization } from './predictive-optimization.ts';

/** Schemas: the parents of tables, volumes, functions and models. */
export const SCHEMAS: SecurableKind = {
  type: 'schema',
  above: 'catalog',
  idField: 'schema_id',
  limits: ['catalog-schemas'],
  creates: 'CREATE_SCHEMA',
  renames: true,
  fields: {
    comment: { type: 'string', most: 65_536 },
    properties: { type: 'object' },
    storage_root: { type: 'string', most: 4096 },
    enable_predictive_optimization: { type: 'string', words: ['DISABLE', 'ENABLE', 'INHERIT'] },
  },
  changes: ['comment', 'properties', 'enable_predictive_optimization'],
  children: [TABLES, VOLUMES, FUNCTIONS, MODELS],
  hooks: {
    async check(tx, call, draft, before) {
      textsIn('properties', membersOf(draft.fields.properties));
      if (!before) await checkManagedRoot(tx, call, draft);
      return undefined;
    },
    removed: (tx, jar, { id }) => dropMonitor(tx, jar, id),
  },
  view: ({ fields }, { chain }) => ({
    catalog_type: chain.above[0]?.fields.catalog_type ?? 'MANAGED_CATALOG',
    ...(typeof fields.storage_root === 'string' && { storage_location: fields.storage_root }),
    ...predictiveOptimization(chain),
  }),
};

export const SCHEMA_OPERATIONS = catalogOperations(SCHEMAS, {
  of: 'Schemas',
  operations: 'schemas',
  path: '/schemas',
  array: 'schemas',
});
