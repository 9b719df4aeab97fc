import type { RowId } from '../../limits/declared.ts';
import type { SecurableType } from '../core/privileges.ts';

/** A quota of the catalog: the number of children of one type in one parent. */
export interface CatalogQuota {
  /** Models are functions on the wire. */
  readonly parent: SecurableType;
  readonly name: string;
  readonly row: RowId;
}

const quota = (parent: SecurableType, name: string, row: RowId): CatalogQuota => ({
  parent,
  name: `${name}-quota`,
  row,
});

export const CATALOG_QUOTAS: readonly CatalogQuota[] = [
  quota('metastore', 'catalog', 'catalogs'),
  quota('metastore', 'table', 'metastore-tables'),
  quota('metastore', 'volume', 'metastore-volumes'),
  quota('metastore', 'registered-model', 'metastore-models'),
  quota('metastore', 'model-version', 'metastore-model-versions'),
  quota('metastore', 'connection', 'connections'),
  quota('metastore', 'storage-credential', 'credentials'),
  quota('metastore', 'external-location', 'external-locations'),
  quota('metastore', 'share', 'shares'),
  quota('metastore', 'recipient', 'recipients'),
  quota('metastore', 'provider', 'providers'),
  quota('metastore', 'clean-room', 'clean-rooms'),
  quota('catalog', 'schema', 'catalog-schemas'),
  quota('schema', 'table', 'schema-tables'),
  quota('schema', 'volume', 'schema-volumes'),
  quota('schema', 'function', 'schema-functions'),
  quota('schema', 'registered-model', 'schema-models'),
  quota('registered_model', 'model-version', 'model-versions'),
  quota('registered_model', 'registered-model-alias', 'model-aliases'),
  quota('share', 'table', 'share-tables'),
  quota('share', 'volume', 'share-volumes'),
  quota('share', 'registered-model', 'share-models'),
  quota('share', 'function', 'share-functions'),
  quota('share', 'schema', 'share-schemas'),
  quota('share', 'notebook', 'share-notebooks'),
];
