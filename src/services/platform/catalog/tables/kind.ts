import { DAY_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import { dropMonitor } from '../../monitors/drop.ts';
import { predictiveOptimization } from '../containers/predictive-optimization.ts';
import type { SecurableKind } from '../core/kind.ts';
import { managedLocation } from '../core/storage.ts';
import { checkProperties } from './properties.ts';
import { DROP_TABLE_DATA, dropTableDataId } from './work.ts';

export const TABLE_TYPES = [
  'EXTERNAL',
  'EXTERNAL_SHALLOW_CLONE',
  'FOREIGN',
  'MANAGED',
  'MANAGED_SHALLOW_CLONE',
  'MATERIALIZED_VIEW',
  'METRIC_VIEW',
  'STREAMING_TABLE',
  'VIEW',
] as const;
export type TableType = (typeof TABLE_TYPES)[number];

export const TABLE_FORMATS = [
  'AVRO',
  'BIGQUERY_FORMAT',
  'CSV',
  'DATABRICKS_FORMAT',
  'DELTA',
  'DELTASHARING',
  'DELTA_UNIFORM_HUDI',
  'DELTA_UNIFORM_ICEBERG',
  'HIVE',
  'ICEBERG',
  'JSON',
  'MYSQL_FORMAT',
  'ORACLE_FORMAT',
  'ORC',
  'PARQUET',
  'POSTGRESQL_FORMAT',
  'REDSHIFT_FORMAT',
  'SALESFORCE_FORMAT',
  'SNOWFLAKE_FORMAT',
  'SQLDW_FORMAT',
  'SQLSERVER_FORMAT',
  'TERADATA_FORMAT',
  'TEXT',
  'UNITY_CATALOG',
  'VECTOR_INDEX_FORMAT',
] as const;

/** Types whose files the platform stores. The files are removed some days after the table. */
const MANAGED: ReadonlySet<string> = new Set<TableType>([
  'MANAGED',
  'MANAGED_SHALLOW_CLONE',
  'MATERIALIZED_VIEW',
  'STREAMING_TABLE',
]);
export const isManaged = ({ table_type: type }: JsonMembers): boolean => MANAGED.has(String(type));

/** Whether tables of this type have files, and therefore versions. */
export const hasData = ({ table_type: type }: JsonMembers): boolean =>
  type === 'EXTERNAL' || type === 'EXTERNAL_SHALLOW_CLONE' || MANAGED.has(String(type));

/** Retention of the files of a dropped table or volume. */
export const RETENTION_MS = 7 * DAY_MS;

/** Maximum length of a view's definition and other SQL texts. */
const MOST_SQL = 1_000_000;

const FIELDS: FieldRules = {
  table_type: { type: 'string', words: TABLE_TYPES, required: true },
  data_source_format: { type: 'string', words: TABLE_FORMATS },
  storage_location: { type: 'string', most: 4096 },
  comment: { type: 'string', most: 65_536 },
  properties: { type: 'object' },
  view_definition: { type: 'string', most: MOST_SQL },
  view_dependencies: { type: 'object' },
  sql_path: { type: 'string', most: 4096 },
  pipeline_id: { type: 'string', most: 100 },
  row_filter: {
    type: 'object',
    members: {
      function_name: { type: 'string', least: 1, most: 1000, required: true },
      input_column_names: { type: 'array', most: 100, items: { type: 'string', most: 255 }, required: true },
    },
  },
};

/** Tables and views. Their columns, constraints and data are stored separately; `create.ts` creates them. */
export const TABLES: SecurableKind = {
  type: 'table',
  above: 'schema',
  idField: 'table_id',
  limits: ['schema-tables', 'metastore-tables'],
  creates: ({ table_type: type }) =>
    type === 'MATERIALIZED_VIEW'
      ? 'CREATE_MATERIALIZED_VIEW'
      : type === 'VIEW' || type === 'METRIC_VIEW'
        ? ['CREATE_TABLE', 'CREATE_VIEW']
        : 'CREATE_TABLE',
  renames: false,
  fields: FIELDS,
  changes: [],
  hooks: {
    async check(_tx, _call, { fields }) {
      checkProperties(fields.properties);
      const isView = fields.table_type === 'VIEW' || fields.table_type === 'METRIC_VIEW';
      if (isView && fields.view_definition === undefined)
        throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'view_definition' });
      return undefined;
    },
    async removed(tx, jar, { id, fields, extra }) {
      // In a catalog of a share, the data belongs to the provider.
      if (extra?.source !== undefined) return;
      const { clock } = jar;
      await dropMonitor(tx, jar, id);
      const dueAt = clock.now() + (isManaged(fields) ? RETENTION_MS : 0);
      await tx.schedule(DROP_TABLE_DATA.at(dueAt, { table: id }, dropTableDataId(id)));
    },
  },
  view: ({ fields, extra }, { chain }) => ({
    ...(isManaged(fields) && extra?.source === undefined && { storage_location: managedLocation(chain) }),
    ...predictiveOptimization(chain),
  }),
};
