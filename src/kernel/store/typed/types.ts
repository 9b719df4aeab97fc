/**
 * Tables whose columns are declared at run time, beside the collections of documents. Values are kept typed, a column as a column of the
 * database, so that a query over them is one statement of SQL. Their definitions are documents of the store (`typedTables`): they go with a
 * reset, are part of a snapshot, and commit together with whatever else a transaction does.
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
  /** Every row has a value, and no two have the same one (texts that fold to the same are the same): the one side of a relationship. */
  readonly unique: boolean;
}

export interface TableDefinition {
  /** Lower-case letters, digits and underscores; of no table before. */
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

export interface NumberedRow {
  /** Rows are numbered in the order in which they came. */
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** A statement that reads. Its text has the placeholders of the engine. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Cell[];
  /** Types of the columns of its result. */
  readonly columns: readonly ColumnType[];
}

export interface SelectBounds {
  readonly rows: number;
  /** Of real time. What takes longer fails with `StoreError` of code `TOO_LONG`. */
  readonly timeMs: number;
}

export interface Selected {
  readonly rows: readonly (readonly Cell[])[];
  /** There are more rows than were wanted. */
  readonly more: boolean;
}

/**
 * Functions that statements call, made for both engines by whoever writes the statements. SQLite calls `functions`; PostgreSQL runs `postgres`
 * (statements of CREATE OR REPLACE FUNCTION in the schema `cloudjar`) once for each text of it.
 */
export interface FunctionLibrary {
  readonly name: string;
  /** The `import.meta.url` of the module that declares it by `defineLibrary`. Without one SQLite calls its functions in the thread of the store. */
  readonly module?: string;
  /** Their results follow from their values alone: both engines call them as often as they like. */
  readonly functions: Readonly<Record<string, (...values: readonly Cell[]) => Cell>>;
  readonly postgres: string;
}

/** What a transaction does with typed tables. */
export interface TableWrites {
  create(definition: TableDefinition): Promise<void>;
  /**
   * Makes a table of this definition out of the one of its name. Columns of the same name and type keep their values; a column of another type keeps
   * them where each of them can be kept exactly (or becomes text), otherwise `StoreError` of code `UNCONVERTIBLE`; other columns begin empty.
   */
  change(definition: TableDefinition): Promise<void>;
  drop(name: string): Promise<void>;
  /** All or none. A value that a unique column has already, or that it may not lack: `DuplicateValue`. */
  append(name: string, rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Removes so many rows from the oldest on. */
  removeOldest(name: string, count: number): Promise<void>;
  clear(name: string): Promise<void>;
}

export interface TableReads {
  definition(name: string): Promise<TableDefinition | undefined>;
  /** Rows in the order of their numbers, for those who go through all of them. */
  rows(name: string, after: number, limit: number): Promise<readonly NumberedRow[]>;
  count(name: string): Promise<number>;
  /** The quoted name of a table, as statements have it. */
  sqlName(name: string): string;
  /** Makes the functions known to the database; does nothing the second time. */
  use(library: FunctionLibrary): Promise<void>;
  select(statement: Statement, bounds: SelectBounds): Promise<Selected>;
}

/** Texts are compared, grouped and ordered by this column beside their own: the text as `foldText` makes it. */
export const keyColumn = (column: Pick<ColumnDefinition, 'name' | 'type'>): string =>
  column.type === 'text' ? `${column.name}_key` : column.name;

/** The column with the numbers of rows. */
export const NUMBER_COLUMN = 'n';
