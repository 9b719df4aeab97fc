/**
 * Tables whose columns are declared at run time, in addition to the collections of documents. Values are typed and stored in columns of the
 * database, so that a query over them is one SQL statement. Their definitions are documents of the store (`tableDefinitions`): they are
 * part of resets and snapshots, and commit together with the other writes of a transaction.
 */

/**
 * | type | value in memory and on the wire of the store | column on SQLite, on PostgreSQL |
 * |---|---|---|
 * | `int64` | number, bigint beyond 2⁵³ | INTEGER, bigint |
 * | `decimal` | ten-thousandths, as an `int64` | INTEGER, bigint |
 * | `double` | finite number | REAL, double precision |
 * | `boolean` | 0 or 1 | INTEGER, bigint |
 * | `datetime` | days since 1899-12-30, the fraction is the time | REAL, double precision |
 * | `text` | string | TEXT, text COLLATE "C" |
 */
export type ColumnType = 'int64' | 'decimal' | 'double' | 'boolean' | 'datetime' | 'text';

export type Cell = number | bigint | string | null;

export interface ColumnDefinition {
  /** Chosen by the owner of the table, never by its users: `c` and a number. */
  readonly name: string;
  readonly type: ColumnType;
  /** If true, every row has a value and all values differ (texts are compared folded): the "one" side of a relationship. */
  readonly unique: boolean;
}

export interface TableDefinition {
  /** Lower-case letters, digits and underscores; never reused. */
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

export interface NumberedRow {
  /** Rows are numbered in insertion order. */
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** A read-only statement. Its text has the placeholders of the engine. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Cell[];
  /** Column types of its result. */
  readonly columns: readonly ColumnType[];
}

export interface SelectBounds {
  readonly rows: number;
  /** In real time. A statement that takes longer fails with a `StoreError` of code `TOO_LONG`. */
  readonly timeMs: number;
}

export interface Selected {
  readonly rows: readonly (readonly Cell[])[];
  /** True if there are more rows than the limit. */
  readonly more: boolean;
}

/**
 * Functions that statements call, provided for both engines by the author of the statements. SQLite calls `functions`; PostgreSQL runs
 * `postgres` (statements of CREATE OR REPLACE FUNCTION in the schema `cloudjar`) once for each version of its text.
 */
export interface FunctionLibrary {
  readonly name: string;
  /**
   * The `import.meta.url` of the module that declares it with `defineLibrary`. Without it, SQLite calls the functions in the store's own
   * thread.
   */
  readonly module?: string;
  /** The functions must be pure: both engines call them as often as they like. */
  readonly functions: Readonly<Record<string, (...values: readonly Cell[]) => Cell>>;
  readonly postgres: string;
}

/** Writes of typed tables within a transaction. */
export interface TableWrites {
  create(definition: TableDefinition): Promise<void>;
  /**
   * Changes the table with this name to the given definition. Columns with the same name and type keep their values. A column with a new
   * type keeps them if each can be represented exactly (or the new type is text); otherwise the call fails with a `StoreError` of code
   * `UNCONVERTIBLE`. New columns begin empty.
   */
  change(definition: TableDefinition): Promise<void>;
  drop(name: string): Promise<void>;
  /** Appends all rows or none. Throws `DuplicateValueError` if a unique column already has a value, or a value for it is missing. */
  append(name: string, rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Removes the `count` oldest rows. */
  removeOldest(name: string, count: number): Promise<void>;
  clear(name: string): Promise<void>;
}

export interface TableReads {
  definition(name: string): Promise<TableDefinition | undefined>;
  /** Rows in the order of their numbers, for reading all of them page by page. */
  rows(name: string, after: number, limit: number): Promise<readonly NumberedRow[]>;
  /** Rows with a number below `before`, the newest first; `Number.MAX_SAFE_INTEGER` begins with the newest of all. */
  newestRows(name: string, before: number, limit: number): Promise<readonly NumberedRow[]>;
  count(name: string): Promise<number>;
  /** The quoted name of a table for use in statements. */
  sqlName(name: string): string;
  /** Registers the functions with the database; idempotent. */
  use(library: FunctionLibrary): Promise<void>;
  select(statement: Statement, bounds: SelectBounds): Promise<Selected>;
}

/** Texts are compared, grouped and ordered by this additional column: the result of `foldText`. */
export const keyColumn = (column: Pick<ColumnDefinition, 'name' | 'type'>): string =>
  column.type === 'text' ? `${column.name}_key` : column.name;

/** The column of row numbers. */
export const NUMBER_COLUMN = 'n';
