import { dropCounts } from '../../../../../kernel/limits/index.ts';
import type { Tx } from '../../../../../kernel/store/index.ts';
import { quotaOf, type RowId } from '../../../limits/declared.ts';
import type { Securable } from '../../core/securables.ts';
import type { DataObjectType } from '../collections.ts';

/** The rows of the limits table that count the objects of a share. */
export const SHARED_ROWS: Readonly<Record<DataObjectType, RowId>> = {
  TABLE: 'share-tables',
  VIEW: 'share-tables',
  MATERIALIZED_VIEW: 'share-tables',
  STREAMING_TABLE: 'share-tables',
  FOREIGN_TABLE: 'share-tables',
  VOLUME: 'share-volumes',
  MODEL: 'share-models',
  FUNCTION: 'share-functions',
  FEATURE_SPEC: 'share-functions',
  SCHEMA: 'share-schemas',
  NOTEBOOK_FILE: 'share-notebooks',
};

/** In the transaction that removes a share: drops its counts. */
export async function dropShareCounts(tx: Tx, { metastore, id }: Pick<Securable, 'metastore' | 'id'>): Promise<void> {
  for (const row of new Set(Object.values(SHARED_ROWS))) await dropCounts(tx, quotaOf(row), [metastore, id]);
}
