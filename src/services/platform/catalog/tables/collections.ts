import { collection, number, text } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Column } from './columns.ts';

/**
 * Data of a table outside its securable's document: columns, since a table may have 32,768 of them, and the log of its data. All of it is
 * keyed by the id of the table, so that renames of ancestors change nothing.
 */

/** A chunk of the columns of one schema of a table. The key is `columnsKey`. */
export interface ColumnChunk {
  readonly columns: readonly Column[];
}

export const tableColumns = collection<ColumnChunk>('platform.table_columns', { wide: true });

/** The chunks of a schema, in the order of the columns. Schemas are numbered from 0; each change of columns adds one. */
export const columnsKey = (table: string, schema: number, chunk?: number): string =>
  `${table}/${String(schema).padStart(6, '0')}/${chunk === undefined ? '' : String(chunk).padStart(4, '0')}`;

/** The newest version of a table's data. Views have none. The key is the id of the table. */
export interface TableState {
  readonly table: string;
  readonly version: number;
  readonly timestamp: number;
  /** Totals of the newest version. */
  readonly files: number;
  readonly bytes: number;
  readonly rows: number;
}

export const tableStates = collection<TableState>('platform.table_states');

/** One version of a table's data. The key is `versionKey`. */
export interface TableVersion {
  readonly table: string;
  readonly version: number;
  /** By the jar's clock; never earlier than that of the previous version. */
  readonly timestamp: number;
  /** `CREATE TABLE`, `WRITE`, `DELETE`: the names in the history of a Delta table. */
  readonly operation: string;
  readonly parameters?: JsonMembers;
  /** The id of the principal. */
  readonly by: string;
  /** The number of the table's schema in this version. */
  readonly schema: number;
  /** Numbers of files added and removed; `tableFiles` lists them by version. */
  readonly added: number;
  readonly removed: number;
}

export const tableVersions = collection<TableVersion>('platform.table_versions', {
  fields: { table: text((it) => it.table), timestamp: number((it) => it.timestamp) },
  indexes: [['table', 'timestamp']],
});

export const versionKey = (table: string, version: number): string => `${table}/${String(version).padStart(12, '0')}`;

/** Statistics of a file's rows, as in Delta: bounds by column, as JSON values. */
export interface FileStats {
  readonly numRecords: number;
  readonly minValues: JsonMembers;
  readonly maxValues: JsonMembers;
  readonly nullCount: Readonly<Record<string, number>>;
}

/**
 * A Parquet file of a table. The key is `fileKey`. The document stays after a later version removes the file, for readers of earlier
 * versions.
 */
export interface TableFile {
  readonly table: string;
  readonly id: string;
  /** Relative to the table's location. */
  readonly path: string;
  readonly blob: string;
  readonly size: number;
  /** The bytes belong to a file of a volume, where it may be deleted or overwritten. */
  readonly borrowed?: true;
  /** Texts, as in Delta; `null` for no value. */
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly stats: FileStats;
  readonly addedIn: number;
  readonly addedAt: number;
  readonly removedIn?: number;
  readonly removedAt?: number;
}

export const tableFiles = collection<TableFile>('platform.table_files', {
  fields: {
    table: text((it) => it.table),
    added: number((it) => it.addedIn),
    removed: number((it) => it.removedIn),
  },
  indexes: [
    ['table', 'removed', 'added'],
    ['table', 'added'],
  ],
});

export const fileKey = (table: string, id: string): string => `${table}/${id}`;

/** A foreign key, indexed by the table it refers to. The key is `referenceKey`. */
export interface TableReference {
  readonly parent: string;
  readonly child: string;
  readonly constraint: string;
}

export const tableReferences = collection<TableReference>('platform.table_references');

export const referenceKey = (parent: string, child = '', constraint = ''): string =>
  child === '' ? `${parent}/` : `${parent}/${child}/${constraint.toLowerCase()}`;

export const TABLE_COLLECTIONS = [tableColumns, tableStates, tableVersions, tableFiles, tableReferences] as const;
