import type { Cell, ColumnType } from '../../../../../src/kernel/store/index.ts';
import type { Model } from '../../../../../src/services/datasets/language/model.ts';
import { type Column, columnId, sameName } from './tables.ts';
import { EvaluationError, fold, identity, type Value } from './values.ts';

/** Index of the virtual blank row of a table. */
export const BLANK_ROW = -1;

/** A relationship: rows of `child` have the key of one row of `parent`. */
export interface Link {
  readonly child: BaseTable;
  readonly parent: BaseTable;
  readonly both: boolean;
  /** For each child row, the index of its parent row or of the blank row. */
  readonly parentOf: readonly number[];
}

export interface BaseTable {
  readonly name: string;
  readonly own: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  readonly parents: Link[];
  readonly children: Link[];
}

export interface Measure {
  readonly table: string;
  readonly name: string;
  readonly expression: string;
}

/** All rows of all tables of a model, in memory. */
export interface Database {
  readonly tables: readonly BaseTable[];
  readonly measures: readonly Measure[];
}

/** Rows by table name, with cells as stored. */
export type Rows = Readonly<Record<string, readonly (readonly Cell[])[]>>;

function fromCell(cell: Cell, type: ColumnType): Value {
  if (cell === null || typeof cell === 'string') return cell;
  switch (type) {
    case 'boolean':
      return Number(cell) === 1;
    case 'datetime':
      return { serial: Number(cell) };
    case 'decimal':
      return { tenThousandths: BigInt(cell) };
    case 'int64':
      return BigInt(cell);
    default:
      return Number(cell);
  }
}

/** Equal texts in a column are shown in the spelling that occurs first. */
function inFirstSpelling(rows: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  const spellings = new Map<string, string>();
  return rows.map((row) =>
    row.map((value, place) => {
      if (typeof value !== 'string') return value;
      const key = `${place} ${fold(value)}`;
      if (!spellings.has(key)) spellings.set(key, value);
      return spellings.get(key)!;
    }),
  );
}

export function openDatabase(model: Model, rows: Rows): Database {
  const tables = model.tables.map(({ name, columns }): BaseTable => {
    const cells = rows[name] ?? [];
    return {
      name,
      own: columns.map((column) => ({
        table: name,
        name: column.name,
        lineage: columnId(name, column.name),
        hidden: false,
      })),
      rows: inFirstSpelling(cells.map((row) => row.map((cell, place) => fromCell(cell, columns[place]!.type)))),
      parents: [],
      children: [],
    };
  });
  const database = {
    tables,
    measures: model.tables.flatMap((table) => table.measures.map((measure) => ({ ...measure, table: table.name }))),
  };
  for (const { from, to, both } of model.relationships) {
    const child = tableNamed(database, from.table);
    const parent = tableNamed(database, to.table);
    const keys = valuesOf(parent, to.column).map(identity);
    const parentOf = valuesOf(child, from.column).map((key) =>
      key === null ? BLANK_ROW : keys.indexOf(identity(key)),
    );
    const link = { child, parent, both, parentOf };
    child.parents.push(link);
    parent.children.push(link);
  }
  return database;
}

export function tableNamed(database: Database, name: string): BaseTable {
  const found = database.tables.find((table) => sameName(table.name, name));
  if (!found) throw new EvaluationError(`cannot find table '${name}'`);
  return found;
}

export function columnOf(table: BaseTable, name: string): Column {
  const found = table.own.find((column) => sameName(column.name, name));
  if (!found) throw new EvaluationError(`column '${name}' in table '${table.name}' cannot be found`);
  return found;
}

function valuesOf(table: BaseTable, column: string): readonly Value[] {
  const place = table.own.indexOf(columnOf(table, column));
  return table.rows.map((row) => row[place]!);
}

/** True if a child row, or the blank row of a child, has no matching row in the table. */
export const hasBlankRow = (table: BaseTable): boolean =>
  table.children.some(({ child, parentOf }) => parentOf.includes(BLANK_ROW) || hasBlankRow(child));

export const placesOf = (table: BaseTable): readonly number[] => table.rows.map((_, place) => place);

export const placesWithBlankRow = (table: BaseTable): readonly number[] =>
  hasBlankRow(table) ? [...placesOf(table), BLANK_ROW] : placesOf(table);

/** The table's own columns and those of all tables on its one side. */
export const expandedColumns = (table: BaseTable): readonly Column[] => [
  ...table.own,
  ...table.parents.flatMap(({ parent }) => expandedColumns(parent).map((column) => ({ ...column, hidden: true }))),
];

/** The values of the expanded columns. A row without a parent belongs to the blank row. */
export function expandedRow(table: BaseTable, place: number): readonly Value[] {
  if (place === BLANK_ROW) return expandedColumns(table).map(() => null);
  return [...table.rows[place]!, ...table.parents.flatMap((link) => expandedRow(link.parent, link.parentOf[place]!))];
}
