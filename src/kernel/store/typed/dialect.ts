import { POSTGRES, quote, SQLITE, type SqlValue } from '../sql/dialect.ts';
import { identifier, layoutOf } from '../sql/layout.ts';
import { arrayOf } from './array-literal.ts';
import { spellings } from './definitions.ts';
import type { Cell, ColumnType } from './types.ts';

/** The differences between the engines for typed tables. */
export interface TypedDialect {
  placeholder(position: number): string;
  /** A quoted table name, with its schema if there is one; `prefix` separates tables of different kinds. */
  table(name: string, prefix?: string): string;
  /** Quoted, without schema. */
  bareName(name: string): string;
  readonly types: Readonly<Record<ColumnType, string>>;
  readonly number: string;
  /** Statement to run before tables are changed or dropped. */
  readonly beforeChange: string | undefined;
  /** The table that stores the collection of spellings. */
  readonly spellings: string;
  /** Passes any number of cells as one value, with a condition that a column is one of them. */
  list(values: readonly Cell[]): SqlValue;
  among(column: string, placeholder: string, type: ColumnType): string;
  /** The statements that insert columns of rows into a table. */
  inserts(into: Insertion): Iterable<{ readonly sql: string; readonly values: readonly SqlValue[] }>;
  /** Lets a table's numbering continue after its greatest number; undefined if the engine does so itself. */
  raiseNumbers(table: string): string | undefined;
  /** A value as text; same result as `plainText`. */
  plainText(type: ColumnType, value: string): string;
  fold(text: string): string;
  /** Conversions: a whole number to a double, a double without a fraction to a whole number, and a double rounded to a whole number. */
  toDouble(value: string): string;
  toWhole(value: string): string;
  rounded(value: string): string;
}

export interface Insertion {
  readonly table: string;
  readonly columns: readonly InsertedColumn[];
  readonly count: number;
  /** If true, rows that violate a unique column are skipped instead of raising an error. */
  readonly skipsDuplicates: boolean;
}

export interface InsertedColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly values: readonly Cell[];
}

const TABLE_PREFIX = 't';
const bareName = (name: string): string => quote(identifier(TABLE_PREFIX, name));

export const indexName = (table: string, column: string): string => quote(identifier('u', table, column));

const insertInto = ({ table, columns }: Insertion): string =>
  `INSERT INTO ${table} (${columns.map(({ name }) => quote(name)).join(', ')})`;
const conflict = ({ skipsDuplicates }: Insertion): string => (skipsDuplicates ? ' ON CONFLICT DO NOTHING' : '');

/** Fewer rows need more calls; more rows make statements that take longer than the calls they save. */
const MOST_ROWS = 16;
const MOST_PARAMETERS = 256;

export const TYPED_SQLITE: TypedDialect = {
  placeholder: SQLITE.placeholder,
  table: (name, prefix = TABLE_PREFIX) => SQLITE.table(identifier(prefix, name)),
  bareName,
  types: {
    int64: 'INTEGER',
    decimal: 'INTEGER',
    double: 'REAL',
    boolean: 'INTEGER',
    datetime: 'REAL',
    text: 'TEXT',
  },
  number: 'INTEGER PRIMARY KEY',
  beforeChange: undefined,
  spellings: layoutOf(spellings, SQLITE).table,
  list: (values) =>
    `[${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join()}]`,
  among: (column, placeholder) => `${column} IN (SELECT value FROM json_each(${placeholder}))`,
  *inserts(insertion) {
    const { columns, count } = insertion;
    const places = `(${columns.map(() => '?').join(', ')})`;
    const most = Math.max(1, Math.min(MOST_ROWS, Math.floor(MOST_PARAMETERS / columns.length)));
    const start = `${insertInto(insertion)} VALUES `;
    const end = conflict(insertion);
    const statementOf = (rows: number): string => `${start}${new Array(rows).fill(places).join(', ')}${end}`;
    const full = statementOf(most);
    const one = statementOf(1);
    const width = columns.length;
    for (let from = 0; from < count; ) {
      const rows = count - from >= most ? most : 1;
      const values = new Array<Cell>(rows * width);
      for (let place = 0; place < width; place++) {
        const column = columns[place]!.values;
        for (let i = 0; i < rows; i++) values[i * width + place] = column[from + i]!;
      }
      yield { sql: rows === most ? full : one, values };
      from += rows;
    }
  },
  raiseNumbers: () => undefined,
  plainText: (type, value) => `plain_text('${type}', ${value})`,
  fold: (text) => `fold(${text})`,
  toDouble: (value) => `CAST(${value} AS REAL)`,
  toWhole: (value) => `CAST(${value} AS INTEGER)`,
  rounded: (value) => `CAST(round(${value}) AS INTEGER)`,
};

/** Held shared by transactions that change definitions of typed tables, and exclusively by a capture until it has locked the tables. */
export const DEFINITIONS_LOCK = `hashtextextended('cloudjar.tables', 0)`;

const ARRAYS: Readonly<Record<ColumnType, string>> = {
  int64: 'bigint[]',
  decimal: 'bigint[]',
  double: 'float8[]',
  boolean: 'bigint[]',
  datetime: 'float8[]',
  text: 'text[]',
};

export const TYPED_POSTGRES: TypedDialect = {
  placeholder: POSTGRES.placeholder,
  table: (name, prefix = TABLE_PREFIX) => POSTGRES.table(identifier(prefix, name)),
  bareName,
  types: {
    int64: 'bigint',
    decimal: 'bigint',
    double: 'double precision',
    boolean: 'bigint',
    datetime: 'double precision',
    text: 'text COLLATE "C"',
  },
  number: 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  beforeChange: `SELECT pg_advisory_xact_lock_shared(${DEFINITIONS_LOCK})`,
  spellings: layoutOf(spellings, POSTGRES).table,
  list: arrayOf,
  among: (column, placeholder, type) => `${column} = ANY(${placeholder}::${ARRAYS[type]})`,
  *inserts(insertion) {
    const { columns } = insertion;
    const arrays = columns.map(({ type }, i) => `$${i + 1}::${ARRAYS[type]}`).join(', ');
    const sql = `${insertInto(insertion)} SELECT * FROM unnest(${arrays})${conflict(insertion)}`;
    yield { sql, values: columns.map(({ values }) => arrayOf(values)) };
  },
  raiseNumbers: (table) =>
    `SELECT setval(pg_get_serial_sequence('${table}', 'n'), greatest((SELECT max(n) FROM ${table}), 1))`,
  plainText: (type, value) => `cloudjar.plain_${type}(${value})`,
  fold: (text) => `cloudjar.fold(${text})`,
  toDouble: (value) => `(${value})::float8`,
  toWhole: (value) => `(${value})::bigint`,
  rounded: (value) => `round(${value})::bigint`,
};
